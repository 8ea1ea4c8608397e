package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.yarn.jobs.JobView;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** Believes what is typical until it was measured: a job tries a size where that repays. */
record Expected(JobView job, Beliefs estimates) implements Outlook {
    @Override
    public Optional<SpeedFunction> speed() {
        return estimates.expectedSpeed(job.id());
    }

    /** Steps are no time before one was timed. */
    @Override
    public OptionalDouble remainingSteps() {
        return estimates
                .of(job.id())
                .filter(known -> known.believed().isPresent())
                .map(known -> known.remaining().toOptional())
                .orElseGet(OptionalDouble::empty);
    }

    /** First it runs as planned: tasks that are on their way in or out are nothing to compare a size with. */
    @Override
    public Optional<Allocation> sizeToLearnFrom(Running running, boolean underWay, Predicate<Allocation> fits) {
        return running.trying().isEmpty() && underWay ? Optional.empty() : estimates.trial(job, running, fits);
    }
}
