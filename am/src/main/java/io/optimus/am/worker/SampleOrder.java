package io.optimus.am.worker;

import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepPart.Worker;
import java.util.SplittableRandom;

/**
 * Decides which samples a step takes. This depends on the seed and the step only, so that each sample is taken once in an
 * epoch however the membership changes. The samples of all epochs form one endless sequence; each epoch is a permutation
 * of all samples, drawn from (seed, epoch).
 *
 * <p>Example: 10 samples, batch 4: step 2 takes positions 8 to 11, the last two of epoch 0 and the first two of
 * epoch 1. Two workers take 8, 9 and 10, 11.
 */
final class SampleOrder {
    /** The odd multiplier of SplitMix64: neighbouring seeds give unrelated orders. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final long seed;
    private final int samples;
    private int[] permutation = new int[0];
    private long permutationOf = -1;

    SampleOrder(long seed, int samples) {
        if (samples < 1) {
            throw new IllegalArgumentException("A data set needs at least one training sample, got " + samples);
        }
        this.seed = seed;
        this.samples = samples;
    }

    /**
     * Returns a worker's part of step {@code step}, of which all workers together take {@code worker.batch()} samples.
     * Ranks take samples in order, and their numbers differ by at most one.
     */
    StepPart synchronous(long step, Worker worker) {
        long start = Math.multiplyExact(step, (long) worker.batch());
        long from = start + (long) worker.batch() * worker.rank() / worker.workers();
        int share = share(worker.batch(), worker.rank(), worker.workers());
        return new StepPart(worker, step, from, share, worker.batch(), count -> take(from, count));
    }

    /**
     * Returns a worker's own {@code localStep}, in a membership that began after {@code cursor} updates. Workers take
     * whole batches in turn.
     */
    StepPart asynchronous(long cursor, long localStep, Worker worker) {
        long update = cursor + localStep * worker.workers() + worker.rank();
        long from = Math.multiplyExact(update, (long) worker.batch());
        long stride = (long) worker.workers() * worker.batch();
        return new StepPart(worker, update, from, worker.batch(), stride, count -> take(from, count));
    }

    /** The samples of one worker in a synchronous step of {@code batch}. */
    static int share(int batch, int rank, int workers) {
        return (int) ((long) batch * (rank + 1) / workers - (long) batch * rank / workers);
    }

    private int[] take(long from, int count) {
        int[] taken = new int[count];
        for (int i = 0; i < count; i++) {
            long position = from + i;
            taken[i] = permutation(position / samples)[(int) (position % samples)];
        }
        return taken;
    }

    private int[] permutation(long epoch) {
        if (permutationOf != epoch) {
            permutation = shuffled(new SplittableRandom(seed * SPREAD + epoch));
            permutationOf = epoch;
        }
        return permutation;
    }

    /** Shuffles as Fisher and Yates do, in the form of Durstenfeld. */
    private int[] shuffled(SplittableRandom random) {
        int[] order = new int[samples];
        for (int i = 0; i < samples; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
