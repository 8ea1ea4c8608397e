package io.optimus.am.progress;

/**
 * The length of an epoch in steps, which need not be a whole number.
 *
 * <p>Example: 10 samples, batch 4: step 2 ends epoch 0 and begins epoch 1. 3 epochs take 8 steps.
 *
 * @param batch the samples of a step, 1 or more
 * @param samples the training samples, 1 or more
 */
public record EpochLength(int batch, int samples) {
    public EpochLength {
        if (batch < 1 || samples < 1) {
            throw new IllegalArgumentException(
                    "An epoch needs a batch and training samples of at least 1, got " + batch + " and " + samples);
        }
    }

    /** The number of epochs that have ended before {@code step}. */
    long endedBefore(long step) {
        return Math.multiplyExact(step, (long) batch) / samples;
    }

    /** Passes over the training samples before {@code step}, fractions included. */
    double passesBefore(long step) {
        return (double) step * batch / samples;
    }

    double steps() {
        return (double) samples / batch;
    }

    /** The number of steps after which {@code epochs} epochs have ended. */
    public long stepsOf(int epochs) {
        return -Math.floorDiv(-Math.multiplyExact((long) samples, epochs), batch);
    }
}
