package io.optimus.sim.forecast;

import io.optimus.model.belief.BeliefSource;
import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.job.JobSnapshot.Belief;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;

/** A belief that never changes. */
record FixedBelief(SpeedFunction function, OptionalDouble steps) implements BeliefSource {
    Belief now() {
        return new Belief(speed(), steps, remaining().trust(), false, Optional.empty());
    }

    @Override
    public Optional<SpeedFunction> speed() {
        return Optional.of(function);
    }

    @Override
    public RemainingBelief remaining() {
        return steps.isPresent() ? RemainingBelief.certain(steps.getAsDouble()) : RemainingBelief.UNKNOWN;
    }

    @Override
    public boolean young() {
        return false;
    }
}
