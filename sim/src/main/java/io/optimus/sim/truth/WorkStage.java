package io.optimus.sim.truth;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedFunction;
import java.util.function.ToDoubleFunction;

/**
 * A part of a job's true work in which its speed depends on its tasks alone.
 *
 * @param steps number of steps, 0 or more
 * @param stepsPerSecond the speed of a size with the best placement, 0 or more
 */
public record WorkStage(double steps, ToDoubleFunction<Allocation> stepsPerSecond) {
    /** Returns a stage with one speed function: on one node or on the fewest nodes, whichever is faster. */
    public static WorkStage of(double steps, SpeedFunction speed) {
        return new WorkStage(steps, size -> Math.max(speed.stepsPerSecond(size, 1), speed.stepsPerSecond(size)));
    }

    /** The seconds that the stage takes on {@code size}; infinite if a job does not step on it. */
    public double seconds(Allocation size) {
        double speed = stepsPerSecond.applyAsDouble(size);
        return steps == 0 ? 0 : speed > 0 ? steps / speed : Double.POSITIVE_INFINITY;
    }
}
