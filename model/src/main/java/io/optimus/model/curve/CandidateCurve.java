package io.optimus.model.curve;

/**
 * A curve through normalised points, and how well it does.
 *
 * @param shape how it falls
 * @param rate per normalised step, above 0
 * @param amplitude 0 or more
 * @param limit 0 or more
 * @param meanSquare weighted mean square of what it misses
 */
record CandidateCurve(Shape shape, double rate, double amplitude, double limit, double meanSquare) {
    double lossAt(double step) {
        return amplitude * shape.at(rate * step) + limit;
    }

    /** The same one higher or lower, not below a limit of 0. */
    CandidateCurve lifted(double by) {
        return new CandidateCurve(shape, rate, amplitude, Math.max(0, limit + by), meanSquare);
    }

    /** The same rate of another shape; how well it does is not known. */
    CandidateCurve ofShape(Shape other) {
        return new CandidateCurve(other, rate, amplitude, limit, Double.POSITIVE_INFINITY);
    }

    double[] residuals(CurvePoints points) {
        double[] residuals = new double[points.size()];
        for (int i = 0; i < residuals.length; i++) {
            residuals[i] = points.loss(i) - lossAt(points.step(i));
        }
        return residuals;
    }
}
