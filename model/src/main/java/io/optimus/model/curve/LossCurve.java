package io.optimus.model.curve;

import java.util.OptionalDouble;

/**
 * The training loss by step, in the job's own loss units (Optimus, section 3.1, eq. 1, with the scale put back):
 *
 * <pre>l(k) = scale · ( 1 / (b0·(k − firstStep) + b1) + b2 )</pre>
 *
 * <p>It falls ever more slowly towards {@code scale · b2}, or stays where it is when b0 = 0. Example: scale 2, b0 =
 * 0.5, b1 = 1, b2 = 0.1, from step 0: 2.2 at step 0, 1.2 at step 2, 0.2 in the end.
 *
 * @param b0 how fast it falls, per step, 0 or more
 * @param b1 where it starts: 1/b1 above the limit, above 0, or 0 or more where b0 is above 0
 * @param b2 its limit in units of {@code scale}; negative only where losses are
 * @param scale the largest loss that was fitted, above 0: what normalised losses are multiplied with
 * @param firstStep the step from which this curve holds: 0, or the last bend
 */
public record LossCurve(double b0, double b1, double b2, double scale, double firstStep) {
    /** Refuses what is not a falling or flat curve. */
    public LossCurve {
        boolean falls = b0 >= 0 && b1 >= 0 && b0 + b1 > 0 && Double.isFinite(b0) && Double.isFinite(b1);
        if (!falls || !Double.isFinite(b2) || !(scale > 0) || !Double.isFinite(scale)) {
            throw new IllegalArgumentException(
                    "A loss curve wants finite b0, b1 >= 0, not both 0, and scale > 0, got b0=" + b0 + " b1=" + b1
                            + " b2=" + b2 + " scale=" + scale);
        }
    }

    /** Whether the loss stays where it is. */
    public boolean isFlat() {
        return b0 == 0;
    }

    /** Loss at {@code step}, which is {@code firstStep} or later; infinite only at the pole of a curve with b1 = 0. */
    public double lossAt(double step) {
        return scale * (1 / (b0 * Math.max(0, step - firstStep) + b1) + b2);
    }

    /** What the loss falls to in the end. */
    public double limit() {
        return isFlat() ? lossAt(firstStep) : scale * b2;
    }

    /** The first step at which the loss is at or below {@code loss}; empty where it never gets there. */
    public OptionalDouble stepAt(double loss) {
        if (lossAt(firstStep) <= loss) {
            return OptionalDouble.of(firstStep);
        }
        double above = loss / scale - b2;
        if (isFlat() || above <= 0) {
            return OptionalDouble.empty();
        }
        double step = firstStep + Math.max(0, (1 / above - b1) / b0);
        return Double.isFinite(step) ? OptionalDouble.of(step) : OptionalDouble.empty();
    }
}
