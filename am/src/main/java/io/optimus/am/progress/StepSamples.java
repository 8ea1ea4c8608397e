package io.optimus.am.progress;

import io.optimus.model.throughput.GradientNoise;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The samples of each step, and how much the step is worth. Positions count the samples of all epochs in one endless sequence.
 * The batch may change between two steps; a step of the batch M is worth gain(M/M0) steps of the initial batch M0 ({@link
 * GradientNoise}).
 *
 * <p>Example: 100 samples, a batch of 10, and of 25 from step 20 on. Step 20 begins at position 200, step 22 at 250. The third
 * epoch begins with step 20 and ends with step 23. An epoch has 10 steps of the initial batch.
 */
public final class StepSamples {
    /** Only steps of the last few batches are asked for. */
    private static final int KEPT_BATCHES = 64;

    private final int initialBatch;
    private final int samples;
    /** The batches by the first step that they apply to. */
    private final TreeMap<Long, Batch> batches = new TreeMap<>();

    private Optional<GradientNoise> noise = Optional.empty();

    /** The steps from one on have this batch; the first one begins at {@code position}. */
    private record Batch(long position, int samples) {}

    /**
     * Begins at step 0 with the initial batch.
     *
     * @param initialBatch the samples of a step, 1 or more
     * @param samples the training samples, which are those of an epoch, 1 or more
     */
    public StepSamples(int initialBatch, int samples) {
        if (initialBatch < 1 || samples < 1) {
            throw new IllegalArgumentException("An epoch needs a batch and training samples of at least 1, got "
                    + initialBatch + " and " + samples);
        }
        this.initialBatch = initialBatch;
        this.samples = samples;
        batches.put(0L, new Batch(0, initialBatch));
    }

    public int initialBatch() {
        return initialBatch;
    }

    /** From {@code step} on, which begins where the steps before it end, the batch is {@code batch}. */
    public void change(long step, int batch) {
        long position = position(step);
        batches.tailMap(step, true).clear();
        if (batches.isEmpty() || batches.lastEntry().getValue().samples() != batch) {
            batches.put(step, new Batch(position, batch));
            if (batches.size() > KEPT_BATCHES) {
                batches.pollFirstEntry();
            }
        }
    }

    /** Goes to {@code step}, which begins at {@code position}; the steps before it are not asked for any more. */
    void restore(long step, long position, int batch) {
        batches.clear();
        batches.put(step, new Batch(position, batch));
    }

    /** The gradient's noise of a batch of the initial size. */
    public void measured(GradientNoise measured) {
        noise = Optional.of(measured);
    }

    /** The last gradient noise; empty before the first measurement. */
    public Optional<GradientNoise> noise() {
        return noise;
    }

    /** The position of the first sample of {@code step}. */
    public long position(long step) {
        Map.Entry<Long, Batch> from = from(step);
        Batch batch = from.getValue();
        return Math.addExact(batch.position(), Math.multiplyExact(step - from.getKey(), (long) batch.samples()));
    }

    /** The samples of {@code step}. */
    public int batch(long step) {
        return from(step).getValue().samples();
    }

    private Map.Entry<Long, Batch> from(long step) {
        return Objects.requireNonNullElseGet(batches.floorEntry(step), batches::firstEntry);
    }

    /** How many steps of the initial batch {@code step} is worth, 1 or more; 1 while the gradient's noise is unknown. */
    public double worth(long step) {
        return worthOf(batch(step));
    }

    private double worthOf(int batch) {
        return batch == initialBatch
                ? 1
                : noise.map(known -> known.gain((double) batch / initialBatch)).orElse(1.0);
    }

    /** The number of epochs that have ended before {@code step}. */
    long endedBefore(long step) {
        return position(step) / samples;
    }

    /** Passes over the training samples before {@code step}, fractions included. */
    double passesBefore(long step) {
        return (double) position(step) / samples;
    }

    /** The steps of the initial batch in an epoch, which need not be a whole number. */
    double stepsPerEpoch() {
        return (double) samples / initialBatch;
    }

    /** The steps of the initial batch that an epoch is worth whose steps have the batch of {@code step}. */
    double stepsPerEpochFrom(long step) {
        return (double) samples / batch(step) * worth(step);
    }

    /** The number of steps after which {@code epochs} epochs have ended, if the batch does not change any more. */
    public long stepsOf(int epochs) {
        Map.Entry<Long, Batch> last = batches.lastEntry();
        long left = Math.multiplyExact((long) samples, epochs) - last.getValue().position();
        return last.getKey() + Math.max(0, -Math.floorDiv(-left, last.getValue().samples()));
    }
}
