package io.optimus.model.throughput;

/**
 * How a replica computes its part of a batch: {@code accumulatedSteps} steps without the all-reduce, then one with it.
 *
 * @param atomicBatch samples at a time, 1 or more
 * @param accumulatedSteps steps that only add to the gradient before the one that ends in the all-reduce, 0 or more
 */
public record BatchSplit(int atomicBatch, int accumulatedSteps) {
    /** Throws if a number is too small. */
    public BatchSplit {
        if (atomicBatch < 1 || accumulatedSteps < 0) {
            throw new IllegalArgumentException(
                    "A split needs 1 sample at a time or more and 0 accumulated steps or more," + " got " + atomicBatch
                            + " and " + accumulatedSteps);
        }
    }

    /** The samples of an update of all {@code replicas} together. */
    public long totalBatch(int replicas) {
        return (long) replicas * atomicBatch * (accumulatedSteps + 1);
    }
}
