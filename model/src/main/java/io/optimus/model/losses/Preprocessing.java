package io.optimus.model.losses;

import io.optimus.model.numerics.Medians;
import java.util.Arrays;

/** Prepares reported losses for a fit (Optimus, section 3.1): replaces outliers, averages neighbours, weighs late points more. */
public final class Preprocessing {
    /** A point is compared with two neighbours on either side. */
    private static final int NEIGHBOURS_EACH_SIDE = 2;

    /** A point farther from the median by median absolute deviations is an outlier. */
    private static final double OUTLIER_DEVIATIONS = 3;

    /**
     * A curve may begin with a fall a hundred times as large as the next ones, as 1, 1/75, 1/150, 1/225, 1/300 does; it never
     * ends with one.
     */
    private static final double STEEPEST_START = 100;

    private Preprocessing() {}

    /**
     * Replaces outliers by the average of those neighbours that are no outliers.
     *
     * <p>A point is compared with the median of the five around it (three next to the ends); the median of the deviations is
     * taken over the whole curve. The first and the last point have neighbours on one side only, so that they count as outliers
     * only if they are also off by a multiple of the spread of the next four, cleaned points.
     */
    public static double[] withoutOutliers(double[] losses) {
        int n = losses.length;
        double[] deviations = new double[n];
        for (int i = 0; i < n; i++) {
            deviations[i] = Math.abs(losses[i] - windowMedian(losses, i));
        }
        boolean[] outlier = new boolean[n];
        double limit = OUTLIER_DEVIATIONS * Medians.mean(deviations);
        for (int i = 1; i < n - 1; i++) {
            outlier[i] = deviations[i] > limit;
        }
        double[] cleaned = losses.clone();
        for (int i = 1; i < n - 1; i++) {
            if (outlier[i]) {
                cleaned[i] = neighboursAverage(losses, outlier, i);
            }
        }
        if (n > 2 * NEIGHBOURS_EACH_SIDE) {
            cleaned[0] = end(losses[0], Arrays.copyOfRange(cleaned, 1, 5), limit, STEEPEST_START);
            cleaned[n - 1] = end(losses[n - 1], Arrays.copyOfRange(cleaned, n - 5, n - 1), limit, OUTLIER_DEVIATIONS);
        }
        return cleaned;
    }

    /** The loss at an end, or the median of {@code next} if the loss is too far from that. */
    private static double end(double loss, double[] next, double limit, double spreads) {
        double middle = Medians.mean(next);
        double off = Math.abs(loss - middle);
        return off > limit && off > spreads * spread(next) ? middle : loss;
    }

    private static double windowMedian(double[] losses, int i) {
        int side = Math.min(NEIGHBOURS_EACH_SIDE, Math.min(i, losses.length - 1 - i));
        return Medians.mean(Arrays.copyOfRange(losses, i - side, i + side + 1));
    }

    private static double neighboursAverage(double[] losses, boolean[] outlier, int i) {
        double sum = 0;
        int count = 0;
        int from = Math.max(0, i - NEIGHBOURS_EACH_SIDE);
        int to = Math.min(losses.length - 1, i + NEIGHBOURS_EACH_SIDE);
        for (int j = from; j <= to; j++) {
            if (!outlier[j]) {
                sum += losses[j];
                count++;
            }
        }
        return count > 0 ? sum / count : Medians.mean(Arrays.copyOfRange(losses, from, to + 1));
    }

    /** The largest less the smallest. */
    private static double spread(double[] values) {
        return Arrays.stream(values).max().orElseThrow()
                - Arrays.stream(values).min().orElseThrow();
    }

    /** The number of neighbours to average into one so that at most {@code maxPoints} of {@code points} remain. */
    public static int group(int points, int maxPoints) {
        return (points + maxPoints - 1) / maxPoints;
    }

    /** Averages neighbours in groups, so that at most {@code maxPoints} values remain. */
    public static double[] averagedDown(double[] values, int maxPoints) {
        int group = group(values.length, maxPoints);
        double[] means = new double[(values.length + group - 1) / group];
        for (int i = 0; i < means.length; i++) {
            int end = Math.min(values.length, (i + 1) * group);
            double sum = 0;
            for (int j = i * group; j < end; j++) {
                sum += values[j];
            }
            means[i] = sum / (end - i * group);
        }
        return means;
    }

    /**
     * The weights of the squares of {@code count} points; they sum to 1. From each third of the points to the next, standard
     * deviations are divided by {@code recency}, 1 or more, so that weights grow by its square.
     */
    public static double[] weights(int count, double recency) {
        double[] weights = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            weights[i] = Math.pow(recency, 2.0 * (int) (3L * i / count));
            sum += weights[i];
        }
        for (int i = 0; i < count; i++) {
            weights[i] /= sum;
        }
        return weights;
    }
}
