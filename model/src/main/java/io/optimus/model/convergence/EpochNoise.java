package io.optimus.model.convergence;

import io.optimus.model.curve.LossCurve;
import io.optimus.model.losses.EpochLosses;
import io.optimus.model.numerics.Medians;
import java.util.List;

/**
 * The noise of the mean losses of epochs around a curve, in proportion to the excess of the curve over its limit. Near a
 * minimum the loss is quadratic, so that its fluctuations shrink with it; a lower learning rate lowers both.
 *
 * <p>The proportion follows from the median difference between the decreases of the epochs and those of the curve: neither a
 * single drop nor a curve that is too high or too low changes it. Example: a flat curve, whose noise is the same everywhere, and
 * means 1.00, 1.02, 0.99, 1.00, 1.02, 0.98. Their differences are 0.02, 0.03, 0.01, 0.02 and 0.04; the median 0.02 over 0.954 is
 * 0.021.
 */
final class EpochNoise {
    /** The median of fewer differences says too little. */
    private static final int FEWEST = 5;

    /** The median absolute difference of two normal draws, in standard deviations of one: 0.6745·√2. */
    private static final double MEDIAN_DIFFERENCE = 0.954;

    /** A part of the first excess; below it, noise has other causes. */
    private static final double LEAST_EXCESS = 1e-3;

    private final LossCurve curve;
    private final double leastExcess;
    private final double deviation;

    /**
     * Measures the noise of the epochs since the curve began; it is 0 if these are too few.
     *
     * @param stepsPerEpoch above 0 and finite
     */
    EpochNoise(LossCurve curve, EpochLosses epochs, double stepsPerEpoch) {
        this.curve = curve;
        List<Double> means = epochs.latest();
        double firstEnd = (epochs.ended() - means.size() + 1) * stepsPerEpoch;
        double before = Math.max(0, Math.ceil((curve.firstStep() - firstEnd) / stepsPerEpoch + 0.5));
        int from = (int) Math.min(means.size(), before);
        this.leastExcess = LEAST_EXCESS * (curve.lossAt(firstEnd + from * stepsPerEpoch) - curve.limit());
        double[] missed = new double[Math.max(0, means.size() - from - 1)];
        for (int i = 0; i < missed.length; i++) {
            double end = firstEnd + (from + i) * stepsPerEpoch;
            double smooth = curve.lossAt(end - stepsPerEpoch / 2) - curve.lossAt(end + stepsPerEpoch / 2);
            missed[i] = Math.abs(means.get(from + i) - means.get(from + i + 1) - smooth) / proportion(end);
        }
        this.deviation = missed.length < FEWEST ? 0 : Medians.mean(missed) / MEDIAN_DIFFERENCE;
    }

    boolean none() {
        return deviation == 0;
    }

    /** The standard deviation of the mean of an epoch around {@code step}. */
    double at(double step) {
        return deviation * proportion(step);
    }

    private double proportion(double step) {
        return leastExcess > 0 ? Math.max(leastExcess, curve.lossAt(step) - curve.limit()) : 1;
    }
}
