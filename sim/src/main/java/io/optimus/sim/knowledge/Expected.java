package io.optimus.sim.knowledge;

import io.optimus.model.Allocation;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** Believes what is typical until it was measured: a job tries a size where that repays. */
record Expected(Knowledge knowledge) implements Outlook {
    @Override
    public Optional<SpeedFunction> speed() {
        return knowledge.expectedSpeed();
    }

    /** Steps are no time before one was timed. */
    @Override
    public OptionalDouble stepsLeft() {
        return knowledge.speed().isPresent() ? knowledge.stepsLeft().steps() : OptionalDouble.empty();
    }

    @Override
    public Optional<Allocation> sizeToLearnFrom(Running job, Predicate<Allocation> fits) {
        return knowledge.trial(job, fits);
    }
}
