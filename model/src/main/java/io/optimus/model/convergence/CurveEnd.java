package io.optimus.model.convergence;

import io.optimus.model.convergence.StopRule.LossPlateau;
import io.optimus.model.convergence.StopRule.TargetLoss;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.losses.AnnouncedBends;
import io.optimus.model.losses.EpochLosses;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * Predicts where a rule on the mean losses of epochs ends training along one curve. The mean of epoch e, counted from 1, is the
 * curve at its middle plus noise.
 */
final class CurveEnd {
    /** Noise of more standard deviations is left out; its probability is 3e-5. */
    private static final double REACH = 4;

    /** A quiet run is not expected to begin more than this many epochs before that of the smooth curve. */
    private static final double EARLIEST = 500;

    /** Longer runs are expected only where the smooth curve has them, because noise breaks all others. */
    private static final int LONGEST_RUN = 500;

    private final LossCurve curve;
    private final EpochLosses epochs;
    private final double stepsPerEpoch;
    private final double underWay;
    private final double holdsUntil;
    private final EpochNoise noise;

    /**
     * Predicts the end of one job along one curve.
     *
     * @param stepsPerEpoch above 0 and finite
     * @param underWay the current epoch, counted from 1
     * @param bends where the job said that its curve will bend
     */
    CurveEnd(LossCurve curve, EpochLosses epochs, double stepsPerEpoch, double underWay, AnnouncedBends bends) {
        this.curve = curve;
        this.epochs = epochs;
        this.stepsPerEpoch = stepsPerEpoch;
        this.underWay = underWay;
        this.holdsUntil = bends.next(curve.firstStep(), stepsPerEpoch).orElse(Double.POSITIVE_INFINITY);
        this.noise = new EpochNoise(curve, epochs, stepsPerEpoch);
    }

    LossCurve curve() {
        return curve;
    }

    /** Whether the epochs that have ended deviate from the curve. */
    boolean isNoisy() {
        return !noise.none();
    }

    /** The epoch until which the curve holds; infinite if no bend is announced. */
    double holdsUntil() {
        return holdsUntil;
    }

    /** The last epoch of a long enough run of quiet ones; infinite if there is no such run while the curve holds. */
    EndEpochs endBy(LossPlateau rule) {
        return whileItHolds(by(rule));
    }

    /** The first epoch whose mean reaches the target; infinite if none does while the curve holds. */
    EndEpochs endBy(TargetLoss rule) {
        return whileItHolds(by(rule));
    }

    private EndEpochs whileItHolds(EndEpochs end) {
        return end.knownUntil(holdsUntil, Math.max(underWay, Math.floor(holdsUntil) + 1));
    }

    private EndEpochs by(LossPlateau rule) {
        double threshold = rule.relativeDecrease() * epochs.largest();
        // The first quiet decrease starts at the first epoch at whose middle the curve is slow enough.
        double smooth = 1 + firstWithMiddleAt(curve.slowFrom(stepsPerEpoch, threshold));
        int soFar = quietSoFar(rule, threshold, smooth);
        if (isAlmostZero(threshold)) {
            return EndEpochs.certain(next() - 1 + rule.epochs() - soFar).from(underWay);
        }
        if (noise.none() || rule.epochs() > LONGEST_RUN) {
            double first = Math.max(smooth, next());
            double missing = rule.epochs() - (first == next() ? soFar : 0);
            return EndEpochs.certain(first - 1 + missing).from(underWay);
        }
        double reach = REACH * Math.sqrt(2) * noise.at(middle(underWay));
        double possible = 1 + firstWithMiddleAt(curve.slowFrom(stepsPerEpoch, threshold + reach));
        return by(
                rule.epochs(),
                soFar,
                possible,
                smooth,
                epoch -> QuietProbability.ofDecrease(threshold - decrease(epoch), noise.at(middle(epoch))));
    }

    /** Whether no epoch can decrease by {@code threshold} any more, because losses that never were negative do not fall below 0. */
    private boolean isAlmostZero(double threshold) {
        List<Double> means = epochs.latest();
        return !means.isEmpty()
                && means.get(means.size() - 1) < threshold
                && means.stream().allMatch(mean -> mean >= 0);
    }

    private EndEpochs by(TargetLoss rule) {
        double smooth = firstWithMiddleAtLoss(rule.loss());
        if (noise.none()) {
            return EndEpochs.certain(smooth).from(underWay);
        }
        double possible = firstWithMiddleAtLoss(rule.loss() + REACH * noise.at(middle(underWay)));
        return by(
                1,
                0,
                possible,
                smooth,
                epoch -> QuietProbability.ofLoss(rule.loss() - curve.lossAt(middle(epoch)), noise.at(middle(epoch))));
    }

    private EndEpochs by(
            int needed, int soFar, double possible, double smooth, DoubleFunction<QuietProbability> quietness) {
        double earliest = Double.isFinite(smooth) ? Math.max(possible, smooth - EARLIEST) : possible;
        double first = Math.max(next(), earliest);
        if (!Double.isFinite(first)) {
            return EndEpochs.certain(first);
        }
        return EndEpochs.of(new QuietRun(needed, first == next() ? soFar : 0), first, quietness)
                .from(underWay);
    }

    /** The first epoch whose mean is unknown; at the latest the one under way. */
    private double next() {
        return epochs.latest().isEmpty() ? underWay : Math.min(underWay, epochs.ended() + 1);
    }

    /** The length of the quiet run so far; if earlier epochs are unknown, that of the smooth curve. */
    private int quietSoFar(LossPlateau rule, double threshold, double smooth) {
        int most = rule.epochs() - 1;
        int seen = LossPlateau.quietEpochs(epochs.latest(), threshold, most);
        boolean all = seen >= epochs.latest().size() - 1;
        double row = all ? Math.max(seen, next() - smooth) : seen;
        return (int) Math.max(0, Math.min(most, row));
    }

    private double firstWithMiddleAtLoss(double loss) {
        return firstWithMiddleAt(curve.stepAt(loss).orElse(Double.POSITIVE_INFINITY));
    }

    private double firstWithMiddleAt(double step) {
        return Math.max(1, Math.ceil(step / stepsPerEpoch + 0.5));
    }

    private double middle(double epoch) {
        return (epoch - 0.5) * stepsPerEpoch;
    }

    private double decrease(double epoch) {
        return curve.lossAt(middle(epoch - 1)) - curve.lossAt(middle(epoch));
    }
}
