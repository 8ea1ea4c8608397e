package io.optimus.model.convergence;

import io.optimus.model.curve.LossCurve;
import io.optimus.model.losses.EpochLosses;
import io.optimus.model.numerics.Medians;
import java.util.List;

/**
 * How noisy the mean losses of epochs are around a curve: in proportion to what is left above its limit. Around a minimum
 * the loss is a square, so that its fluctuations shrink with it; a lower learning rate lowers both.
 *
 * <p>How large the proportion is, the decreases say: by the median of what they miss of the curve's, in which neither a
 * single drop counts nor a curve that is too high or too low. Example: a flat curve, which has noise of one size, and
 * means 1.00, 1.02, 0.99, 1.00, 1.02, 0.98: decreases of 0.02, 0.03, 0.01, 0.02 and 0.04, 0.02 in the median, over 0.954:
 * 0.021.
 */
final class EpochNoise {
    /** Fewer differences have no median to speak of. */
    private static final int FEWEST = 5;

    /** The median amount of a difference between two normal draws, in standard deviations of one: 0.6745·√2. */
    private static final double MEDIAN_DIFFERENCE = 0.954;

    /** Part of the first excess below which noise has other reasons. */
    private static final double LEAST_EXCESS = 1e-3;

    private final LossCurve curve;
    private final double leastExcess;
    private final double deviation;

    /**
     * As the epochs since the curve began say; none where these are too few.
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

    /** Whether there is none, as far as is known. */
    boolean none() {
        return deviation == 0;
    }

    /** Standard deviation of the mean of an epoch around {@code step}. */
    double at(double step) {
        return deviation * proportion(step);
    }

    private double proportion(double step) {
        return leastExcess > 0 ? Math.max(leastExcess, curve.lossAt(step) - curve.limit()) : 1;
    }
}
