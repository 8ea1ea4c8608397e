package io.optimus.model.curve;

/** How a family of curves falls: from 1 at stretch 0 towards 0, where a loss is amplitude · shape(rate · step) + limit. */
sealed interface Shape {
    /** At {@code stretch}, 0 or more. */
    double at(double stretch);

    /** Writes to {@code falls} where it is at each of {@code steps}: the innermost loop of a fit, one for each shape. */
    void at(double rate, double[] steps, double[] falls);

    /** The curve of that shape, in the job's units. */
    LossCurve curve(CandidateCurve candidate, CurvePoints points);

    /** 1/(1 + stretch). */
    record Inverse() implements Shape {
        /** So that b1, one over the loss of a flat curve, is finite where that is 0. */
        private static final double LEAST_LOSS = 1e-100;

        @Override
        public double at(double stretch) {
            return 1 / (1 + stretch);
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

    /** exp(−stretch). */
    record Exponential() implements Shape {
        @Override
        public double at(double stretch) {
            return Math.exp(-stretch);
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

    /** (1 + stretch)^−exponent. */
    record Power(double exponent) implements Shape {
        @Override
        public double at(double stretch) {
            return power(1 + stretch);
        }

        @Override
        public void at(double rate, double[] steps, double[] falls) {
            for (int i = 0; i < falls.length; i++) {
                falls[i] = power(1 + rate * steps[i]);
            }
        }

        /** Roots where there are some: a search begins with such exponents, and they cost a fifth. */
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
