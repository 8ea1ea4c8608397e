package io.optimus.sim.trace.pollux;

import io.optimus.model.throughput.GradientNoise;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The progress of a model's training by epoch and batch, as measured in runs with fixed batches.
 *
 * <p>Progress is counted in steps of the initial batch. An epoch ends at the least progress at which any run ended it;
 * the job ends with the last epoch. Gradients are those of the epoch, interpolated linearly in the batch between two
 * runs.
 */
final class Epochs {
    private final NavigableMap<Integer, List<Row>> byBatch;
    private final double[] ends;
    /** The best value of a metric that rises; empty for a metric that falls, which is a loss itself. */
    private final OptionalDouble bestMetric;

    /**
     * An epoch of a run.
     *
     * @param progress progress at its end in steps of the initial batch, above that of the epoch before
     * @param steps steps of the run's batch up to its end
     * @param metric validation metric at its end
     * @param noise noise of the gradients in it
     */
    record Row(double progress, double steps, double metric, GradientNoise noise) {}

    /** Takes runs by batch; only epochs that every run has count. */
    Epochs(NavigableMap<Integer, List<Row>> byBatch) {
        this.byBatch = new TreeMap<>(byBatch);
        int count = byBatch.values().stream().mapToInt(List::size).min().orElse(0);
        this.ends = new double[count];
        for (int epoch = 0; epoch < count; epoch++) {
            int row = epoch;
            ends[epoch] = byBatch.values().stream()
                    .mapToDouble(rows -> rows.get(row).progress())
                    .min()
                    .orElse(0);
        }
        this.bestMetric = count > 0 ? bestMetric(byBatch.firstEntry().getValue()) : OptionalDouble.empty();
    }

    private static OptionalDouble bestMetric(List<Row> run) {
        boolean rises = run.get(run.size() - 1).metric() > run.get(0).metric();
        boolean inPercent = run.stream().anyMatch(row -> row.metric() > 1);
        return rises ? OptionalDouble.of(inPercent ? 100 : 1) : OptionalDouble.empty();
    }

    /** Returns the loss that a job reports at the end of an epoch: for a rising metric, its distance from the best value. */
    double loss(int epoch, double batch) {
        double metric = between(batch, rows -> rows.get(epoch).metric());
        return bestMetric.isPresent() ? bestMetric.getAsDouble() - metric : metric;
    }

    /** Returns the loss at the end of a run with a batch. */
    double lastLoss(double batch) {
        return loss(count() - 1, batch);
    }

    int count() {
        return ends.length;
    }

    /** Returns the progress at which an epoch, counted from 0, begins; the epoch after the last begins at the end of the job. */
    double begin(int epoch) {
        return epoch == 0 ? 0 : ends[epoch - 1];
    }

    /** Returns the whole work in steps of the initial batch. */
    double total() {
        return begin(count());
    }

    /** Returns the gradient noise in an epoch with a batch; beyond the measured batches, that of the nearest. */
    GradientNoise noise(int epoch, double batch) {
        return new GradientNoise(
                between(batch, rows -> rows.get(epoch).noise().squaredNorm()),
                between(batch, rows -> rows.get(epoch).noise().variance()));
    }

    /** Returns the steps of a batch that the runs took for all later epochs. */
    double stepsAfter(int epoch, double batch) {
        int last = count() - 1;
        return between(batch, rows -> rows.get(last).steps() - rows.get(epoch).steps());
    }

    private double between(double batch, ToDoubleFunction<List<Row>> value) {
        Map.Entry<Integer, List<Row>> below = byBatch.floorEntry((int) Math.floor(batch));
        Map.Entry<Integer, List<Row>> above = byBatch.ceilingEntry((int) Math.ceil(batch));
        if (below == null || above == null) {
            return value.applyAsDouble((below == null ? byBatch.firstEntry() : byBatch.lastEntry()).getValue());
        }
        double one = value.applyAsDouble(below.getValue());
        double other = value.applyAsDouble(above.getValue());
        int width = above.getKey() - below.getKey();
        return width == 0 ? one : one + (batch - below.getKey()) / width * (other - one);
    }

    /** Returns how many steps of the initial batch one step of {@code batch} is worth in an epoch. */
    double gain(int epoch, double batch, int initialBatch) {
        return noise(epoch, batch).gain(batch / initialBatch);
    }
}
