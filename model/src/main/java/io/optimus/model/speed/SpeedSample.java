package io.optimus.model.speed;

import io.optimus.model.Allocation;

/**
 * Speed measured over a stretch of unbroken stepping on one allocation; as reported, so any number may be in it.
 *
 * @param allocation what ran
 * @param nodes that its tasks were on
 * @param stepsPerSecond steps of the whole job (synchronous) or applied updates (asynchronous) per second
 * @param seconds how long was measured
 */
public record SpeedSample(Allocation allocation, int nodes, double stepsPerSecond, double seconds) {
    /** On one node, or on a number of nodes that makes no difference. */
    public SpeedSample(Allocation allocation, double stepsPerSecond, double seconds) {
        this(allocation, 1, stepsPerSecond, seconds);
    }

    /** The same, on {@code actualNodes}. */
    public SpeedSample on(int actualNodes) {
        return new SpeedSample(allocation, actualNodes, stepsPerSecond, seconds);
    }
}
