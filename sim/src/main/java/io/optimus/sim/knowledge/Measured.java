package io.optimus.sim.knowledge;

import io.optimus.model.Allocation;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** Believes what was measured: a job first explores the sizes that a fit wants. */
record Measured(Knowledge knowledge) implements Outlook {
    @Override
    public Optional<SpeedFunction> speed() {
        return knowledge.speed();
    }

    @Override
    public OptionalDouble stepsLeft() {
        return knowledge.stepsLeft().steps();
    }

    @Override
    public Optional<Allocation> sizeToLearnFrom(Running job, Predicate<Allocation> fits) {
        return knowledge.exploration(fits);
    }
}
