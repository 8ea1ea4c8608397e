package io.optimus.model.speed;

import io.optimus.model.Allocation;

/**
 * The speed measured during uninterrupted stepping on one allocation, as reported; its numbers may be invalid.
 *
 * @param allocation the size
 * @param nodes the number of nodes that its tasks were on
 * @param stepsPerSecond steps of the whole job (synchronous) or applied updates (asynchronous) per second
 * @param seconds how long the measurement took
 */
public record SpeedSample(Allocation allocation, int nodes, double stepsPerSecond, double seconds) {
    /** A sample on one node, or on a number of nodes that makes no difference. */
    public SpeedSample(Allocation allocation, double stepsPerSecond, double seconds) {
        this(allocation, 1, stepsPerSecond, seconds);
    }

    public SpeedSample on(int actualNodes) {
        return new SpeedSample(allocation, actualNodes, stepsPerSecond, seconds);
    }
}
