package io.optimus.model.numerics;

/** What a solver found; immutable. */
public final class NonNegativeLeastSquaresSolution {
    /** Why the solver stopped. */
    public enum Outcome {
        /** The solution fulfils the conditions of optimality within the tolerance. */
        CONVERGED,
        /** The limit of iterations was reached: the solution is feasible, but a better one may exist. */
        ITERATION_LIMIT
    }

    private final double[] x;
    private final double residualNorm;
    private final int iterations;
    private final Outcome outcome;

    NonNegativeLeastSquaresSolution(double[] x, double residualNorm, int iterations, Outcome outcome) {
        this.x = x;
        this.residualNorm = residualNorm;
        this.iterations = iterations;
        this.outcome = outcome;
    }

    /** x_{@code column}, from 0: 0 or more; not unique where columns depend on each other. */
    public double value(int column) {
        return x[column];
    }

    /** A copy of x. */
    public double[] toArray() {
        return x.clone();
    }

    /** |A·x − b|₂, 0 or more. */
    public double residualNorm() {
        return residualNorm;
    }

    /** How many least-squares problems were solved on the way. */
    public int iterations() {
        return iterations;
    }

    /** Why the solver stopped. */
    public Outcome outcome() {
        return outcome;
    }

    /** Whether the solution is optimal. */
    public boolean hasConverged() {
        return outcome == Outcome.CONVERGED;
    }
}
