package io.optimus.model.numerics;

/**
 * Solves non-negative least squares by the active-set method of Lawson and Hanson (Solving Least Squares Problems,
 * 1974, chapter 23): columns enter one by one, first the one with the largest product with the residual; whenever the
 * unconstrained solution of the entered columns has a negative part, the step is cut there and that column leaves.
 *
 * <p>All columns and the right side are first brought to length 1 and then to triangular form by Householder
 * reflections, so that every later least-squares problem has at most n rows; these are solved by reflections too. The
 * normal equations, which would square the condition number, are never formed. A column that depends on the entered
 * ones to working precision, or that would enter at zero or below, waits until another one has entered. The residual
 * falls with each column that enters, so that no set of columns occurs twice.
 *
 * <p>Example: A = (1 0; 0 1), b = (2, −1) gives x = (2, 0) with residual norm 1.
 *
 * <p>Immutable and stateless; the work grows with m·n² + iterations·n³.
 */
public final class NonNegativeLeastSquaresSolver {
    /** Lawson and Hanson needed about n/2 iterations; 3·n is the customary limit. More iterations cost nothing here. */
    private static final int ITERATIONS_PER_COLUMN = 10;

    /** Rounding in a product of unit vectors of length m is about eps·m; one digit of safety above it. */
    private static final double TOLERANCE_PER_ROW = 10 * Math.ulp(1.0);

    private final int maxIterationsPerColumn;
    private final double tolerancePerRow;

    /** A solver with 10 iterations a column and a tolerance of 10 units in the last place a row. */
    public NonNegativeLeastSquaresSolver() {
        this(ITERATIONS_PER_COLUMN, TOLERANCE_PER_ROW);
    }

    /** Tests set the limit of iterations; production code keeps {@value #ITERATIONS_PER_COLUMN} per column. */
    NonNegativeLeastSquaresSolver(int maxIterationsPerColumn, double tolerancePerRow) {
        this.maxIterationsPerColumn = maxIterationsPerColumn;
        this.tolerancePerRow = tolerancePerRow;
    }

    /**
     * This solver with another tolerance, in (0, 1e-3]: with columns and right side of length 1, a column enters only if its
     * product with the residual, and its part that the entered columns do not span, exceed {@code tolerance} times the larger
     * of rows and columns.
     */
    public NonNegativeLeastSquaresSolver withTolerancePerRow(double tolerance) {
        if (!(tolerance > 0 && tolerance <= 1e-3)) {
            throw new IllegalArgumentException("A tolerance must be in (0, 1e-3], got " + tolerance);
        }
        return new NonNegativeLeastSquaresSolver(maxIterationsPerColumn, tolerance);
    }

    /**
     * The solution of {@code problem}; always feasible, and optimal if it {@linkplain
     * NonNegativeLeastSquaresSolution#hasConverged() has converged}.
     */
    public NonNegativeLeastSquaresSolution solve(NonNegativeLeastSquaresProblem problem) {
        int n = problem.columns();
        double[] norms = new double[n + 1];
        double[][] scaled = new double[n][];
        for (int j = 0; j < n; j++) {
            scaled[j] = problem.scaledColumn(j, norms);
        }
        double[] rightSide = problem.scaledRightSide(norms);
        double tolerance = tolerancePerRow * Math.max(problem.rows(), n);
        ActiveSet set = new ActiveSet(scaled, rightSide, tolerance);
        boolean converged = set.run(maxIterationsPerColumn * n);

        double[] x = set.values();
        for (int j = 0; j < n; j++) {
            x[j] = x[j] == 0 ? 0 : Math.min(Double.MAX_VALUE, x[j] * (norms[n] / norms[j]));
        }
        return new NonNegativeLeastSquaresSolution(x, problem.residualNorm(x), set.iterations(), converged);
    }
}
