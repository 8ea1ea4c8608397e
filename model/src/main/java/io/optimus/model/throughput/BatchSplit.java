package io.optimus.model.throughput;

/**
 * How a replica computes its part of a batch: {@code accumulatedSteps} times without, then once with the all-reduce.
 *
 * @param atomicBatch samples at a time, 1 or more
 * @param accumulatedSteps steps that only add to the gradient before the one that ends in the all-reduce, 0 or more
 */
public record BatchSplit(int atomicBatch, int accumulatedSteps) {
    /** Refuses a batch of nothing. */
    public BatchSplit {
        if (atomicBatch < 1 || accumulatedSteps < 0) {
            throw new IllegalArgumentException("A split has 1 sample at a time or more and 0 accumulated steps or more,"
                    + " got " + atomicBatch + " and " + accumulatedSteps);
        }
    }

    /** Samples of an update of {@code replicas} together. */
    public long totalBatch(int replicas) {
        return (long) replicas * atomicBatch * (accumulatedSteps + 1);
    }
}
