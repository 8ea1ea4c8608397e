package io.optimus.model.numerics;

/** What a minimiser found; immutable. */
public final class BoundedMinimum {
    /** Why the minimiser stopped. */
    public enum Outcome {
        /** No step within the bounds promises to lead down by more than the tolerance. */
        CONVERGED,
        /** The limit of iterations was reached: a better point may exist. */
        ITERATION_LIMIT
    }

    private final double[] point;
    private final double value;
    private final int iterations;
    private final Outcome outcome;

    BoundedMinimum(double[] point, double value, int iterations, Outcome outcome) {
        this.point = point;
        this.value = value;
        this.iterations = iterations;
        this.outcome = outcome;
    }

    /** A copy of the point, within the bounds. */
    public double[] point() {
        return point.clone();
    }

    /** The function there. */
    public double value() {
        return value;
    }

    /** Steps that were taken, 0 or more. */
    public int iterations() {
        return iterations;
    }

    /** Why the minimiser stopped. */
    public Outcome outcome() {
        return outcome;
    }
}
