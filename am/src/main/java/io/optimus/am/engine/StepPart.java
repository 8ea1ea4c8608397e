package io.optimus.am.engine;

import java.util.function.IntFunction;

/**
 * One worker's part of a step. The samples of all epochs form one endless sequence; the part is a range of its positions.
 *
 * <p>Example: 10 samples, batch 4, two workers: rank 1 takes the positions 10 and 11 of step 2, the first two samples of
 * epoch 1. Its next part begins 4 positions later.
 */
public final class StepPart {
    private final Worker worker;
    private final long step;
    private final long from;
    private final int count;
    private final long stride;
    private final IntFunction<int[]> samples;

    /**
     * The worker of a part.
     *
     * @param rank its rank, from 0
     * @param workers the number of workers
     * @param batch the samples of a step; synchronous: of all workers, asynchronous: of one worker
     */
    public record Worker(int rank, int workers, int batch) {}

    /**
     * A range of positions.
     *
     * @param step the step; asynchronous: the number of updates that the worker expects before its own
     * @param from the first position, 0 or more
     * @param count the number of positions, 0 or more
     * @param stride how much later the worker's next part begins if its membership lasts
     * @param samples returns the indices of the samples at the first n positions
     */
    public StepPart(Worker worker, long step, long from, int count, long stride, IntFunction<int[]> samples) {
        this.worker = worker;
        this.step = step;
        this.from = from;
        this.count = count;
        this.stride = stride;
        this.samples = samples;
    }

    /** All of a step of one worker, with these samples. */
    public static StepPart of(int... samples) {
        return new StepPart(
                new Worker(0, 1, samples.length), 0, 0, samples.length, samples.length, count -> samples.clone());
    }

    public Worker worker() {
        return worker;
    }

    public long step() {
        return step;
    }

    /** The first position. */
    public long from() {
        return from;
    }

    /** The number of samples. */
    public int count() {
        return count;
    }

    /** How much later the worker's next part begins if its membership lasts. */
    public long stride() {
        return stride;
    }

    /** The indices of the training samples. */
    public int[] samples() {
        return samples.apply(count);
    }
}
