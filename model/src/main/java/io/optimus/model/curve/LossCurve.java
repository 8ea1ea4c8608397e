package io.optimus.model.curve;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The training loss by step, in the job's own units: it falls towards a limit, or is constant.
 *
 * <p>{@link InverseDecay} is Optimus's form (section 3.1, eq. 1); a {@link PowerLaw} has a heavier or a lighter tail, an {@link
 * ExponentialDecay} has none. {@link LossCurveFitter} chooses among these by the losses. An {@link AcceleratedDecay} is only one
 * of the curves through the latest losses.
 */
public sealed interface LossCurve {
    /** The name of the family, for the page. */
    String family();

    /** The parameters of the family by their names, for the page. */
    SortedMap<String, Double> parameters();

    /** The step from which this curve holds: the first one that was fitted, or the last bend. */
    double firstStep();

    /** The loss at {@code step}; before {@code firstStep} it is that of {@code firstStep}. */
    double lossAt(double step);

    /** The loss that the curve approaches. */
    double limit();

    /** Whether the loss is constant. */
    boolean isFlat();

    /** The first step at which the loss is at or below {@code loss}; empty if it never gets there. */
    OptionalDouble stepAt(double loss);

    /**
     * The first step, {@code firstStep} or later, from which on the loss falls by less than {@code decrease} in {@code steps}
     * steps; infinite if there is none.
     *
     * @param steps above 0 and finite
     * @param decrease 0 or more, in the units of the loss
     */
    double slowFrom(double steps, double decrease);

    /** The same curve with all losses multiplied by {@code factor}, which is above 0 and finite. */
    LossCurve times(double factor);

    /**
     * A loss whose excess over the limit is one over a line, as in gradient descent (Optimus, section 3.1, eq. 1, multiplied by
     * the largest loss again):
     *
     * <pre>l(k) = scale · ( 1 / (b0·(k − firstStep) + b1) + b2 )</pre>
     *
     * <p>Example: scale 2, b0 = 0.5, b1 = 1, b2 = 0.1, from step 0: 2.2 at step 0, 1.2 at step 2, 0.2 in the end.
     *
     * @param b0 how fast it falls, per step, 0 or more; at 0 the curve is flat
     * @param b1 where it starts: 1/b1 above the limit; above 0, or 0 if b0 is above 0
     * @param b2 the limit in units of {@code scale}; negative only if losses are
     * @param scale the largest loss that was fitted, above 0
     * @param firstStep the step from which this curve holds
     */
    record InverseDecay(double b0, double b1, double b2, double scale, double firstStep) implements LossCurve {
        /** The largest d/t in {@link #slowFrom}; with a larger ratio, no double is large enough for the step. */
        private static final double LARGEST_RATIO = 1e300;

        /** Throws if the parameters are not those of a falling or flat curve. */
        public InverseDecay {
            boolean falls = b0 >= 0 && b1 >= 0 && b0 + b1 > 0 && Double.isFinite(b0) && Double.isFinite(b1);
            if (!falls || !Double.isFinite(b2) || !(scale > 0) || !Double.isFinite(scale)) {
                throw new IllegalArgumentException(
                        "An inverse decay needs finite b0, b1 >= 0, not both 0, and scale > 0, got b0=" + b0 + " b1="
                                + b1 + " b2=" + b2 + " scale=" + scale);
            }
        }

        @Override
        public String family() {
            return "inverse decay";
        }

        @Override
        public SortedMap<String, Double> parameters() {
            return sorted(Map.of("b0", b0, "b1", b1, "b2", b2, "scale", scale));
        }

        @Override
        public boolean isFlat() {
            return b0 == 0;
        }

        /** {@inheritDoc} It is infinite only at the pole of a curve with b1 = 0. */
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
         * {@inheritDoc} With a = b0·(k − firstStep) + b1 and d = b0·steps, the loss falls by scale·d / (a·(a + d)), which is
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

    /**
     * A loss whose excess over the limit is a power of the steps, as measured on large networks (Hestness et al. 2017):
     *
     * <pre>l(k) = amplitude · (1 + rate·(k − firstStep))^(−exponent) + limit</pre>
     *
     * <p>With exponent 1 it is the inverse decay. Example: amplitude 2, rate 1, exponent 1/2, limit 0.1, from step 0: 2.1 at
     * step 0, 1.1 at step 3, 0.6 at step 15.
     *
     * @param amplitude by how much it falls in the end, 0 or more; at 0 the curve is flat
     * @param rate one over the steps after which the power begins to show, above 0
     * @param exponent how fast it falls then, above 0
     * @param limit what it falls to
     * @param firstStep the step from which this curve holds
     */
    record PowerLaw(double amplitude, double rate, double exponent, double limit, double firstStep)
            implements LossCurve {
        /** After this many halvings, only rounding is left of an interval. */
        private static final int HALVINGS = 60;

        /** Throws if the parameters are not those of a falling or flat curve. */
        public PowerLaw {
            boolean falls = amplitude >= 0 && rate > 0 && exponent > 0;
            boolean finite = Double.isFinite(amplitude) && Double.isFinite(rate) && Double.isFinite(exponent);
            if (!falls || !finite || !Double.isFinite(limit)) {
                throw new IllegalArgumentException(
                        "A power law needs a finite amplitude >= 0, rate > 0 and exponent > 0, got amplitude="
                                + amplitude + " rate=" + rate + " exponent=" + exponent + " limit=" + limit);
            }
        }

        @Override
        public String family() {
            return "power law";
        }

        @Override
        public SortedMap<String, Double> parameters() {
            return sorted(Map.of("amplitude", amplitude, "rate", rate, "exponent", exponent, "limit", limit));
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
         * {@inheritDoc} With u = 1 + rate·(k − firstStep) and d = rate·steps, the loss falls by amplitude·(u^−c − (u + d)^−c),
         * which lies between amplitude·c·d·u^(−c−1) and the same at u + d: bisection starts with this interval of length d.
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

        private double power(double base) {
            return Math.pow(base, -exponent);
        }
    }

    /**
     * A loss whose excess over the limit halves in equal numbers of steps, as that of a strongly convex problem does:
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
    record ExponentialDecay(double amplitude, double rate, double limit, double firstStep) implements LossCurve {
        /** Throws if the parameters are not those of a falling or flat curve. */
        public ExponentialDecay {
            boolean falls = amplitude >= 0 && rate > 0 && Double.isFinite(amplitude) && Double.isFinite(rate);
            if (!falls || !Double.isFinite(limit)) {
                throw new IllegalArgumentException(
                        "An exponential decay needs a finite amplitude >= 0 and rate > 0, got" + " amplitude="
                                + amplitude + " rate=" + rate + " limit=" + limit);
            }
        }

        @Override
        public String family() {
            return "exponential decay";
        }

        @Override
        public SortedMap<String, Double> parameters() {
            return sorted(Map.of("amplitude", amplitude, "rate", rate, "limit", limit));
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

        /** {@inheritDoc} The loss falls by amplitude·exp(−rate·(k − firstStep))·(1 − exp(−rate·steps)). */
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

    /**
     * A loss that falls ever faster before it slows down, as when a network leaves a plateau:
     *
     * <pre>l(k) = amplitude · exp(−rate·(((k − origin) / (firstStep − origin))² − 1)) + limit</pre>
     *
     * <p>Example: amplitude 2, rate ln 2, limit 0.1, from step 1 with origin 0: 2.1 at step 1, 0.35 at step 2, 0.1078 at step 3.
     *
     * @param amplitude by how much it falls in the end, 0 or more; at 0 the curve is flat
     * @param rate how fast it falls, above 0
     * @param limit what it falls to
     * @param origin the step before {@code firstStep} at which it would be flat
     * @param firstStep the step from which this curve holds
     */
    record AcceleratedDecay(double amplitude, double rate, double limit, double origin, double firstStep)
            implements LossCurve {
        /** After this many halvings, only rounding is left of an interval. */
        private static final int HALVINGS = 60;

        /** Throws if the parameters are not those of a falling or flat curve. */
        public AcceleratedDecay {
            boolean falls = amplitude >= 0 && rate > 0 && origin < firstStep;
            boolean finite = Double.isFinite(amplitude) && Double.isFinite(rate) && Double.isFinite(firstStep - origin);
            if (!falls || !finite || !Double.isFinite(limit)) {
                throw new IllegalArgumentException(
                        "An accelerated decay needs a finite amplitude >= 0, rate > 0 and origin before its first step, got"
                                + " amplitude=" + amplitude + " rate=" + rate + " limit=" + limit + " origin=" + origin
                                + " firstStep=" + firstStep);
            }
        }

        @Override
        public String family() {
            return "accelerated decay";
        }

        @Override
        public SortedMap<String, Double> parameters() {
            return sorted(Map.of("amplitude", amplitude, "rate", rate, "limit", limit, "origin", origin));
        }

        @Override
        public boolean isFlat() {
            return amplitude == 0;
        }

        @Override
        public double lossAt(double step) {
            double steps = Math.max(1, (step - origin) / (firstStep - origin));
            return amplitude * Math.exp(-rate * (steps * steps - 1)) + limit;
        }

        @Override
        public OptionalDouble stepAt(double loss) {
            if (lossAt(firstStep) <= loss) {
                return OptionalDouble.of(firstStep);
            }
            double steps = Math.sqrt(1 + Math.log(amplitude / (loss - limit)) / rate);
            double step = origin + steps * (firstStep - origin);
            return loss > limit && Double.isFinite(step) ? OptionalDouble.of(step) : OptionalDouble.empty();
        }

        /**
         * {@inheritDoc} The decrease grows until the inflection, at which 2·rate·((k − origin)/(firstStep − origin))² = 1, is in
         * the middle of {@code steps} or a little later; from there on it shrinks.
         */
        @Override
        public double slowFrom(double steps, double decrease) {
            double low = Math.max(firstStep, origin + (firstStep - origin) / Math.sqrt(2 * rate));
            if (amplitude == 0 || lossAt(low) - lossAt(low + steps) <= decrease) {
                return firstStep;
            }
            double high = stepAt(limit + decrease).orElse(Double.POSITIVE_INFINITY);
            for (int i = 0; i < HALVINGS && low < high; i++) {
                double middle = low + (high - low) / 2;
                if (lossAt(middle) - lossAt(middle + steps) < decrease) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            return high;
        }

        @Override
        public LossCurve times(double factor) {
            return new AcceleratedDecay(amplitude * factor, rate, limit * factor, origin, firstStep);
        }
    }

    private static SortedMap<String, Double> sorted(Map<String, Double> parameters) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }
}
