package io.optimus.model.numerics;

/** The solution that a solver found; immutable. */
public final class NonNegativeLeastSquaresSolution {
    private final double[] x;
    private final double residualNorm;
    private final int iterations;
    private final boolean converged;

    NonNegativeLeastSquaresSolution(double[] x, double residualNorm, int iterations, boolean converged) {
        this.x = x;
        this.residualNorm = residualNorm;
        this.iterations = iterations;
        this.converged = converged;
    }

    /** x of {@code column}, from 0: 0 or more; it is not unique where columns depend on each other. */
    public double value(int column) {
        return x[column];
    }

    public double[] toArray() {
        return x.clone();
    }

    /** |A·x − b|₂, 0 or more. */
    public double residualNorm() {
        return residualNorm;
    }

    /** The number of least-squares problems that were solved on the way. */
    public int iterations() {
        return iterations;
    }

    /**
     * Whether the solution is optimal within the tolerance. If not, the solver reached its limit of iterations: the solution is
     * feasible, but a better one may exist.
     */
    public boolean hasConverged() {
        return converged;
    }
}
