package io.optimus.model.curve;

import io.optimus.model.numerics.Medians;
import java.util.Arrays;

/** The noise of losses around each point, whatever their trend: neither a slope nor a single drop counts as noise. */
final class LocalNoise {
    /** Noise is measured in this many parts of the losses, each together with those on either side. */
    private static final int PARTS = 16;

    /** The fewest points of a part. */
    private static final int FEWEST = 4;

    /** The median absolute second difference of normal noise, in standard deviations: 0.6745·√6. */
    private static final double SECOND_DIFFERENCE = 1.652;

    /** A point that is off both neighbours by more standard deviations is an outlier, where noise is about normal. */
    private static final double SPIKE = 6;

    /** The same where noise may be skewed, as that of small batches is. */
    private static final double SPIKE_OF_SKEWED = 20;

    private static final int LONGEST_SPIKE = 2;

    private LocalNoise() {}

    /** The standard deviation of the noise at each of three losses or more. */
    static double[] of(double[] losses) {
        int n = losses.length;
        double[] curvatures = new double[n];
        for (int i = 0; i < n; i++) {
            int middle = Math.max(1, Math.min(n - 2, i));
            curvatures[i] = Math.abs(losses[middle - 1] - 2 * losses[middle] + losses[middle + 1]);
        }
        double[] noise = new double[n];
        int part = Math.max(FEWEST, n / PARTS);
        for (int from = 0; from < n; from += part) {
            double[] around = Arrays.copyOfRange(curvatures, Math.max(0, from - part), Math.min(n, from + 2 * part));
            Arrays.fill(noise, from, Math.min(n, from + part), Medians.upper(around) / SECOND_DIFFERENCE);
        }
        return noise;
    }

    /** A copy that replaces a point, or two in a row, far off both neighbours by the mean of the neighbours. */
    static double[] withoutSpikes(double[] losses) {
        return withoutSpikes(losses, SPIKE);
    }

    /** The same, but keeps the large losses of skewed noise, so that means over many losses stay what they are. */
    static double[] withoutSpikesOfSkewedNoise(double[] losses) {
        return withoutSpikes(losses, SPIKE_OF_SKEWED);
    }

    private static double[] withoutSpikes(double[] losses, double deviations) {
        double[] noise = of(losses);
        double[] cleaned = losses.clone();
        for (int length = 1; length <= LONGEST_SPIKE; length++) {
            for (int i = 1; i + length < losses.length; i++) {
                double before = losses[i - 1];
                double after = losses[i + length];
                double room = deviations * noise[i];
                if (isOutside(losses, i, i + length, Math.min(before, after) - room, Math.max(before, after) + room)) {
                    Arrays.fill(cleaned, i, i + length, (before + after) / 2);
                }
            }
        }
        return cleaned;
    }

    /** Whether all from {@code from} to before {@code to} are above {@code upper}, or all are below {@code lower}. */
    private static boolean isOutside(double[] losses, int from, int to, double lower, double upper) {
        boolean above = true;
        boolean below = true;
        for (int i = from; i < to; i++) {
            above &= losses[i] > upper;
            below &= losses[i] < lower;
        }
        return above || below;
    }
}
