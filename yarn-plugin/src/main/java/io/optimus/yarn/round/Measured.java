package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.belief.Estimate;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.exploration.Exploration;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.yarn.jobs.JobView;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** Believes what was measured: a job first explores the sizes that a fit wants, also on the way to another size. */
record Measured(JobView job, Beliefs estimates) implements Outlook {
    @Override
    public Optional<SpeedFunction> speed() {
        return estimates.of(job.id()).flatMap(Estimate::believed);
    }

    @Override
    public OptionalDouble remainingSteps() {
        return estimates
                .of(job.id())
                .map(known -> known.remaining().toOptional())
                .orElseGet(OptionalDouble::empty);
    }

    @Override
    public Optional<Allocation> sizeToLearnFrom(Running running, boolean underWay, Predicate<Allocation> fits) {
        return estimates.of(job.id()).flatMap(known -> next(known, fits));
    }

    private Optional<Allocation> next(Estimate known, Predicate<Allocation> fits) {
        return new Exploration(job.registration().speedForm(), job.range())
                .next(
                        job.speeds(),
                        known.speed(),
                        job.givenUp(),
                        known.partOfWork((double) job.exploredSteps(), (double)
                                job.progress().step()),
                        fits);
    }
}
