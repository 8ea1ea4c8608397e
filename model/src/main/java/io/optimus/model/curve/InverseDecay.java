package io.optimus.model.curve;

import java.util.OptionalDouble;

/**
 * A loss whose excess over the limit is one over a line, as that of gradient descent is (Optimus, section 3.1, eq. 1, with
 * the scale put back):
 *
 * <pre>l(k) = scale · ( 1 / (b0·(k − firstStep) + b1) + b2 )</pre>
 *
 * <p>Example: scale 2, b0 = 0.5, b1 = 1, b2 = 0.1, from step 0: 2.2 at step 0, 1.2 at step 2, 0.2 in the end.
 *
 * @param b0 how fast it falls, per step, 0 or more; at 0 the curve is flat
 * @param b1 where it starts: 1/b1 above the limit, above 0, or 0 or more where b0 is above 0
 * @param b2 its limit in units of {@code scale}; negative only where losses are
 * @param scale the largest loss that was fitted, above 0: what normalised losses are multiplied with
 * @param firstStep the step from which this curve holds
 */
public record InverseDecay(double b0, double b1, double b2, double scale, double firstStep) implements LossCurve {
    /** Of d/t, see {@link #slowFrom}: beyond it numbers end before the loss is so slow. */
    private static final double LARGEST_RATIO = 1e300;

    /** Refuses what is not a falling or flat curve. */
    public InverseDecay {
        boolean falls = b0 >= 0 && b1 >= 0 && b0 + b1 > 0 && Double.isFinite(b0) && Double.isFinite(b1);
        if (!falls || !Double.isFinite(b2) || !(scale > 0) || !Double.isFinite(scale)) {
            throw new IllegalArgumentException(
                    "A loss curve wants finite b0, b1 >= 0, not both 0, and scale > 0, got b0=" + b0 + " b1=" + b1
                            + " b2=" + b2 + " scale=" + scale);
        }
    }

    @Override
    public String family() {
        return "inverse decay";
    }

    @Override
    public boolean isFlat() {
        return b0 == 0;
    }

    /** {@inheritDoc} Infinite only at the pole of a curve with b1 = 0. */
    @Override
    public double lossAt(double step) {
        return scale * (1 / (b0 * Math.max(0, step - firstStep) + b1) + b2);
    }

    @Override
    public double limit() {
        return isFlat() ? lossAt(firstStep) : scale * b2;
    }

    @Override
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

    /**
     * {@inheritDoc} With a = b0·(k − firstStep) + b1 and d = b0·steps, it falls by scale·d / (a·(a + d)), which is
     * {@code decrease} = scale·t at a = (√(d² + 4·d/t) − d) / 2.
     */
    @Override
    public double slowFrom(double steps, double decrease) {
        if (isFlat()) {
            return firstStep;
        }
        double d = b0 * steps;
        double ratio = d / (decrease / scale);
        if (ratio > LARGEST_RATIO) {
            return Double.POSITIVE_INFINITY;
        }
        // The root above, without its difference of nearly equal numbers.
        double a = 2 * ratio / (Math.sqrt(d * d + 4 * ratio) + d);
        return a <= b1 ? firstStep : firstStep + (a - b1) / b0;
    }

    @Override
    public LossCurve times(double factor) {
        return new InverseDecay(b0, b1, b2, scale * factor, firstStep);
    }
}
