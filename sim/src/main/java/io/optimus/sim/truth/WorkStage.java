package io.optimus.sim.truth;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedFunction;
import java.util.function.ToDoubleFunction;

/**
 * A part of a job's true work through which its speed depends on its tasks alone.
 *
 * @param steps of it, 0 or more
 * @param stepsPerSecond of a size where its tasks are placed best, 0 or more
 */
public record WorkStage(double steps, ToDoubleFunction<Allocation> stepsPerSecond) {
    /** Of steps that all go alike, fastest on one node or on the fewest. */
    public static WorkStage of(double steps, SpeedFunction speed) {
        return new WorkStage(steps, size -> Math.max(speed.stepsPerSecond(size, 1), speed.stepsPerSecond(size)));
    }

    /** What it takes on {@code size}: infinite where it does not step. */
    public double seconds(Allocation size) {
        double speed = stepsPerSecond.applyAsDouble(size);
        return steps == 0 ? 0 : speed > 0 ? steps / speed : Double.POSITIVE_INFINITY;
    }
}
