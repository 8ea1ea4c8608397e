package io.optimus.model.curve;

import java.util.OptionalDouble;

/**
 * A loss whose excess over the limit is a power of the steps, as measured on large networks (Hestness et al. 2017):
 *
 * <pre>l(k) = amplitude · (1 + rate·(k − firstStep))^(−exponent) + limit</pre>
 *
 * <p>Exponent 1 is the inverse decay. Example: amplitude 2, rate 1, exponent 1/2, limit 0.1, from step 0: 2.1 at step 0, 1.1
 * at step 3, 0.6 at step 15.
 *
 * @param amplitude by how much it falls in the end, 0 or more; at 0 the curve is flat
 * @param rate one over the steps after which the power begins to show, above 0
 * @param exponent how fast it falls then, above 0
 * @param limit what it falls to
 * @param firstStep the step from which this curve holds
 */
public record PowerLaw(double amplitude, double rate, double exponent, double limit, double firstStep)
        implements LossCurve {
    /** Halves an interval until nothing is left of it but rounding. */
    private static final int HALVINGS = 60;

    /** Refuses what is not a falling or flat curve. */
    public PowerLaw {
        boolean falls = amplitude >= 0 && rate > 0 && exponent > 0;
        boolean finite = Double.isFinite(amplitude) && Double.isFinite(rate) && Double.isFinite(exponent);
        if (!falls || !finite || !Double.isFinite(limit)) {
            throw new IllegalArgumentException(
                    "A power law wants a finite amplitude >= 0, rate > 0 and exponent > 0, got amplitude=" + amplitude
                            + " rate=" + rate + " exponent=" + exponent + " limit=" + limit);
        }
    }

    @Override
    public String family() {
        return "power law";
    }

    @Override
    public boolean isFlat() {
        return amplitude == 0;
    }

    @Override
    public double lossAt(double step) {
        return amplitude * power(1 + rate * Math.max(0, step - firstStep)) + limit;
    }

    @Override
    public OptionalDouble stepAt(double loss) {
        if (lossAt(firstStep) <= loss) {
            return OptionalDouble.of(firstStep);
        }
        double stretch = Math.pow(amplitude / (loss - limit), 1 / exponent);
        double step = firstStep + Math.max(0, (stretch - 1) / rate);
        return loss > limit && Double.isFinite(step) ? OptionalDouble.of(step) : OptionalDouble.empty();
    }

    /**
     * {@inheritDoc} With u = 1 + rate·(k − firstStep) and d = rate·steps, it falls by amplitude·(u^−c − (u + d)^−c), which
     * lies between amplitude·c·d·u^(−c−1) and the same at u + d: an interval of length d, which is halved.
     */
    @Override
    public double slowFrom(double steps, double decrease) {
        double d = rate * steps;
        if (amplitude * (1 - power(1 + d)) <= decrease) {
            return firstStep;
        }
        double high = Math.pow(amplitude * exponent * d / decrease, 1 / (exponent + 1));
        double low = Math.max(1, high - d);
        for (int i = 0; i < HALVINGS && low < high; i++) {
            double middle = low + (high - low) / 2;
            if (amplitude * (power(middle) - power(middle + d)) < decrease) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return firstStep + (high - 1) / rate;
    }

    @Override
    public LossCurve times(double factor) {
        return new PowerLaw(amplitude * factor, rate, exponent, limit * factor, firstStep);
    }

    private double power(double stretch) {
        return Math.pow(stretch, -exponent);
    }
}
