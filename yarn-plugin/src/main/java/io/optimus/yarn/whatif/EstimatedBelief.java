package io.optimus.yarn.whatif;

import io.optimus.model.belief.BeliefSource;
import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.speed.ExpectedSpeed;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.yarn.jobs.JobView;
import java.util.Optional;

/**
 * The belief about a registered job at one moment, from its last estimate. Unlike the round's own belief it may be read beside a
 * round.
 */
record EstimatedBelief(JobView job, Optional<Estimate> estimate, Optional<SpeedFunction> expectedSpeed)
        implements BeliefSource {
    static EstimatedBelief of(JobView job, Optional<Estimate> estimate) {
        Optional<SpeedFunction> believed = estimate.flatMap(Estimate::believed);
        Optional<SpeedFunction> expected = job.registration().demand().hasParameterServers()
                ? Optional.of(new ExpectedSpeed(
                                job.registration().training().speedForm(),
                                job.measured().speeds().plausible())
                        .function())
                : believed;
        return new EstimatedBelief(job, estimate, expected);
    }

    @Override
    public Optional<SpeedFunction> speed() {
        return estimate.flatMap(Estimate::believed);
    }

    @Override
    public RemainingBelief remaining() {
        return estimate.map(known -> RemainingBelief.predicted(
                        known.ownRemainingSteps((double) job.progress().step())))
                .orElse(RemainingBelief.UNKNOWN);
    }

    @Override
    public boolean young() {
        return estimate.map(Estimate::young).orElse(true);
    }
}
