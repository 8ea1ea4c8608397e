package io.optimus.model.numerics;

/** The minimum that a minimiser found; immutable. */
public final class BoundedMinimum {
    private final double[] point;
    private final double value;
    private final int iterations;
    private final boolean converged;

    BoundedMinimum(double[] point, double value, int iterations, boolean converged) {
        this.point = point;
        this.value = value;
        this.iterations = iterations;
        this.converged = converged;
    }

    /** A copy of the point, within the bounds. */
    public double[] point() {
        return point.clone();
    }

    public double value() {
        return value;
    }

    /** The number of steps that were taken, 0 or more. */
    public int iterations() {
        return iterations;
    }

    /**
     * Whether no step within the bounds leads down by more than the tolerance. If not, the minimiser reached its limit of
     * iterations, and a better point may exist.
     */
    public boolean hasConverged() {
        return converged;
    }
}
