package io.optimus.model.curve;

import io.optimus.model.curve.FamilySelection.CandidateCurve;
import io.optimus.model.curve.LossCurve.ExponentialDecay;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.curve.LossCurve.PowerLaw;

/** How a family of curves falls, from 1 at x = 0 towards 0: a loss is amplitude · shape(rate · step) + limit. */
sealed interface Shape {
    /** The value at {@code x}, 0 or more. */
    double at(double x);

    /** Writes to {@code falls} the values at rate · step of each of {@code steps}: the innermost loop of a fit. */
    void at(double rate, double[] steps, double[] falls);

    /** The curve with this shape, in the job's own units. */
    LossCurve curve(CandidateCurve candidate, CurvePoints points);

    /** The inverse decay, 1/(1 + x). */
    record Inverse() implements Shape {
        /** Keeps b1, one over the loss of a flat curve, finite where that loss is 0. */
        private static final double LEAST_LOSS = 1e-100;

        @Override
        public double at(double x) {
            return 1 / (1 + x);
        }

        @Override
        public void at(double rate, double[] steps, double[] falls) {
            for (int i = 0; i < falls.length; i++) {
                falls[i] = 1 / (1 + rate * steps[i]);
            }
        }

        @Override
        public LossCurve curve(CandidateCurve candidate, CurvePoints points) {
            double lift = points.offset() / points.scale();
            double amplitude = candidate.amplitude();
            if (amplitude == 0) {
                return new InverseDecay(
                        0, 1 / Math.max(LEAST_LOSS, candidate.limit()), lift, points.scale(), points.firstStep());
            }
            return new InverseDecay(
                    points.ratePerStep(candidate.rate()) / amplitude,
                    1 / amplitude,
                    candidate.limit() + lift,
                    points.scale(),
                    points.firstStep());
        }
    }

    /** The exponential decay, exp(−x). */
    record Exponential() implements Shape {
        @Override
        public double at(double x) {
            return Math.exp(-x);
        }

        @Override
        public void at(double rate, double[] steps, double[] falls) {
            for (int i = 0; i < falls.length; i++) {
                falls[i] = Math.exp(-rate * steps[i]);
            }
        }

        @Override
        public LossCurve curve(CandidateCurve candidate, CurvePoints points) {
            return new ExponentialDecay(
                    points.scale() * candidate.amplitude(),
                    points.ratePerStep(candidate.rate()),
                    points.lossOf(candidate.limit()),
                    points.firstStep());
        }
    }

    /** The power law, (1 + x)^−exponent. */
    record Power(double exponent) implements Shape {
        @Override
        public double at(double x) {
            return power(1 + x);
        }

        @Override
        public void at(double rate, double[] steps, double[] falls) {
            for (int i = 0; i < falls.length; i++) {
                falls[i] = power(1 + rate * steps[i]);
            }
        }

        /** Takes roots if the exponent allows it: a search begins with such exponents, and roots take a fifth of the time. */
        private double power(double base) {
            if (exponent == 0.25) {
                return 1 / Math.sqrt(Math.sqrt(base));
            }
            if (exponent == 0.5) {
                return 1 / Math.sqrt(base);
            }
            return exponent == 2 ? 1 / (base * base) : Math.exp(-exponent * Math.log(base));
        }

        @Override
        public LossCurve curve(CandidateCurve candidate, CurvePoints points) {
            return new PowerLaw(
                    points.scale() * candidate.amplitude(),
                    points.ratePerStep(candidate.rate()),
                    exponent,
                    points.lossOf(candidate.limit()),
                    points.firstStep());
        }
    }
}
