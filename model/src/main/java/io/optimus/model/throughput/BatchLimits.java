package io.optimus.model.throughput;

import java.util.Optional;

/**
 * The batches that a job may train with.
 *
 * <p>A batch of B on K replicas is ⌈B/K⌉ samples each. If these do not fit a GPU at once, they are computed in the fewest equal parts
 * that do, and the gradients accumulate. One replica with more than the initial batch always accumulates at least once, because
 * gradient noise cannot be measured from a single gradient. Example: 100 samples on 2 replicas of at most 32 each are 50 each, in
 * 2 parts of 25.
 *
 * @param initialBatch M0, the samples of the steps in which all progress is counted, 1 or more
 * @param maxBatch the largest total batch, {@code initialBatch} or more
 * @param minAtomicBatch the fewest samples that a replica should compute at a time, 1 or more
 * @param maxAtomicBatch the most that fit a GPU, {@code minAtomicBatch} or more
 */
public record BatchLimits(int initialBatch, int maxBatch, int minAtomicBatch, int maxAtomicBatch) {
    /** Subtracted before a quotient is rounded up, so that rounding errors have no effect. */
    private static final double ROUNDING = 1e-8;

    /** Throws if the limits contradict each other. */
    public BatchLimits {
        if (initialBatch < 1 || maxBatch < initialBatch || minAtomicBatch < 1 || maxAtomicBatch < minAtomicBatch) {
            throw new IllegalArgumentException("A batch needs 1 <= initial <= max, in parts of 1 <= min <= max, got "
                    + initialBatch + " to " + maxBatch + " in parts of " + minAtomicBatch + " to " + maxAtomicBatch);
        }
    }

    /** The smallest total batch of {@code replicas}: the initial one, or the sum of the fewest samples of each replica. */
    public int smallestBatch(int replicas) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(initialBatch, (long) minAtomicBatch * replicas));
    }

    /** The largest number of replicas that can each have the fewest samples, 1 or more. */
    public int maxReplicas() {
        return Math.max(1, maxBatch / minAtomicBatch);
    }

    /**
     * Splits a total of {@code batch} samples among {@code replicas}, rounded up to equal parts, but not beyond the largest
     * batch.
     *
     * @param batch above 0; need not be a whole number
     * @return empty if the largest batch has no sample for every replica
     */
    public Optional<BatchSplit> split(double batch, int replicas) {
        double local = Math.ceil(batch / replicas - ROUNDING);
        double accumulated = Math.max(0, Math.ceil(local / maxAtomicBatch - ROUNDING) - 1);
        if (replicas == 1 && batch > initialBatch + ROUNDING) {
            accumulated = Math.max(1, accumulated);
        }
        double atomic = Math.ceil(local / (accumulated + 1) - ROUNDING);
        double most = Math.floor(maxBatch / (replicas * (accumulated + 1)));
        double allowed = Math.min(atomic, most);
        return allowed < 1 ? Optional.empty() : Optional.of(new BatchSplit((int) allowed, (int) accumulated));
    }
}
