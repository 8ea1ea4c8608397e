package io.optimus.model.curve;

/** How a family of curves falls: from 1 at stretch 0 towards 0, where a loss is amplitude · shape(rate · step) + limit. */
sealed interface Shape {
    /** At {@code stretch}, 0 or more. */
    double at(double stretch);

    /** The curve of that shape, in the job's units. */
    LossCurve curve(Candidate candidate, CurvePoints points);

    /** 1/(1 + stretch). */
    record Inverse() implements Shape {
        /** So that b1, one over the loss of a flat curve, is finite where that is 0. */
        private static final double LEAST_LOSS = 1e-100;

        @Override
        public double at(double stretch) {
            return 1 / (1 + stretch);
        }

        @Override
        public LossCurve curve(Candidate candidate, CurvePoints points) {
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
        public LossCurve curve(Candidate candidate, CurvePoints points) {
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
            return Math.exp(-exponent * Math.log1p(stretch));
        }

        @Override
        public LossCurve curve(Candidate candidate, CurvePoints points) {
            return new PowerLaw(
                    points.scale() * candidate.amplitude(),
                    points.ratePerStep(candidate.rate()),
                    exponent,
                    points.lossOf(candidate.limit()),
                    points.firstStep());
        }
    }
}
