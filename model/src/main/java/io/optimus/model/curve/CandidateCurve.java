package io.optimus.model.curve;

/**
 * A curve through normalised points, amplitude · shape(rate · step) + limit, and how well it fits them.
 *
 * @param shape how it falls
 * @param rate per normalised step, above 0
 * @param amplitude 0 or more
 * @param limit 0 or more
 * @param meanSquare weighted mean square of its residuals
 */
record CandidateCurve(Shape shape, double rate, double amplitude, double limit, double meanSquare) {
    /** The same curve in the job's own units. */
    LossCurve curve(CurvePoints points) {
        return shape.curve(this, points);
    }

    /** The same curve, higher or lower by {@code by}; its limit stays at 0 or more. */
    CandidateCurve lifted(double by) {
        return new CandidateCurve(shape, rate, amplitude, Math.max(0, limit + by), meanSquare);
    }

    /** A curve of another shape with the same rate; how well it fits is not known. */
    CandidateCurve ofShape(Shape other) {
        return new CandidateCurve(other, rate, amplitude, limit, Double.POSITIVE_INFINITY);
    }

    double[] residuals(CurvePoints points) {
        double[] residuals = new double[points.size()];
        for (int i = 0; i < residuals.length; i++) {
            residuals[i] = points.loss(i) - (amplitude * shape.at(rate * points.step(i)) + limit);
        }
        return residuals;
    }
}
