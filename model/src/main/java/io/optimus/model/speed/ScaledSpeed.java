package io.optimus.model.speed;

import io.optimus.model.Allocation;

/**
 * Another function times a factor: what a job does on GPUs that are so many times as fast.
 *
 * @param of the function
 * @param factor above 0 and finite
 */
public record ScaledSpeed(SpeedFunction of, double factor) implements SpeedFunction {
    /** {@code speed} itself where the factor is 1. */
    public static SpeedFunction of(SpeedFunction speed, double factor) {
        return factor == 1 ? speed : new ScaledSpeed(speed, factor);
    }

    @Override
    public double stepsPerSecond(Allocation allocation) {
        return factor * of.stepsPerSecond(allocation);
    }

    @Override
    public double stepsPerSecond(Allocation allocation, int nodes) {
        return factor * of.stepsPerSecond(allocation, nodes);
    }
}
