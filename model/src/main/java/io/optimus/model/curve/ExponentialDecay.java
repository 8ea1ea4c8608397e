package io.optimus.model.curve;

import java.util.OptionalDouble;

/**
 * A loss whose excess over the limit halves in equal stretches, as that of a strongly convex problem does:
 *
 * <pre>l(k) = amplitude · exp(−rate·(k − firstStep)) + limit</pre>
 *
 * <p>Example: amplitude 2, rate ln 2, limit 0.1, from step 0: 2.1 at step 0, 1.1 at step 1, 0.6 at step 2.
 *
 * @param amplitude by how much it falls in the end, 0 or more; at 0 the curve is flat
 * @param rate how fast it falls, per step, above 0
 * @param limit what it falls to
 * @param firstStep the step from which this curve holds
 */
public record ExponentialDecay(double amplitude, double rate, double limit, double firstStep) implements LossCurve {
    /** Refuses what is not a falling or flat curve. */
    public ExponentialDecay {
        boolean falls = amplitude >= 0 && rate > 0 && Double.isFinite(amplitude) && Double.isFinite(rate);
        if (!falls || !Double.isFinite(limit)) {
            throw new IllegalArgumentException("An exponential decay wants a finite amplitude >= 0 and rate > 0, got"
                    + " amplitude=" + amplitude + " rate=" + rate + " limit=" + limit);
        }
    }

    @Override
    public String family() {
        return "exponential decay";
    }

    @Override
    public boolean isFlat() {
        return amplitude == 0;
    }

    @Override
    public double lossAt(double step) {
        return amplitude * Math.exp(-rate * Math.max(0, step - firstStep)) + limit;
    }

    @Override
    public OptionalDouble stepAt(double loss) {
        if (lossAt(firstStep) <= loss) {
            return OptionalDouble.of(firstStep);
        }
        double step = firstStep + Math.max(0, Math.log(amplitude / (loss - limit)) / rate);
        return loss > limit && Double.isFinite(step) ? OptionalDouble.of(step) : OptionalDouble.empty();
    }

    /** {@inheritDoc} It falls by amplitude·exp(−rate·(k − firstStep))·(1 − exp(−rate·steps)). */
    @Override
    public double slowFrom(double steps, double decrease) {
        double first = amplitude * -Math.expm1(-rate * steps);
        return first <= decrease ? firstStep : firstStep + Math.log(first / decrease) / rate;
    }

    @Override
    public LossCurve times(double factor) {
        return new ExponentialDecay(amplitude * factor, rate, limit * factor, firstStep);
    }
}
