package io.optimus.model.numerics;

import io.optimus.model.InterruptedComputationException;

/**
 * Minimises a smooth function of few variables between bounds by a projected quasi-Newton method (Bertsekas, Projected
 * Newton methods for optimization problems with simple constraints, 1982; update of Broyden, Fletcher, Goldfarb and
 * Shanno with Powell's damping).
 *
 * <p>Variables at a bound that descent would leave are held; for the others the quadratic model is minimised, and the step to its
 * minimum, cut at the bounds, is halved until the function falls enough (Armijo). The model has a full matrix, which for a few
 * variables is faster than one of limited memory.
 *
 * <p>Example: (x − 2)² + (y + 1)² with 0 ≤ x ≤ 1 and y ≥ 0 has its minimum 2 at (1, 0).
 *
 * <p>It finds the minimum near the start, which is the only one if the function is convex. Immutable and stateless: the same
 * problem gives the same result. The work is at most iterations · (n³ + {@value #HALVINGS} evaluations).
 */
public final class ProjectedQuasiNewton {
    /** The largest final slope of a variable that is not held; functions and variables are of size 1. */
    private static final double TOLERANCE = 1e-7;

    /** A step is taken if the function decreases by this part of what the slope predicts, a customary value. */
    private static final double SUFFICIENT = 1e-4;

    /** 2^−40 of a step does not move anything. */
    static final int HALVINGS = 40;

    private final int maxIterations;

    /** A minimiser with a tolerance of 1e-7 and up to {@code maxIterations} iterations, 1 or more. */
    public ProjectedQuasiNewton(int maxIterations) {
        if (maxIterations < 1) {
            throw new IllegalArgumentException("A minimiser needs 1 iteration or more, got " + maxIterations);
        }
        this.maxIterations = maxIterations;
    }

    /**
     * The minimum of {@code problem} at which a descent from {@code start} ends.
     *
     * @param start as many numbers as the problem has variables; brought within the bounds
     * @throws IllegalArgumentException if the function has no finite value at {@code start}
     */
    public BoundedMinimum minimize(BoundedProblem problem, double[] start) {
        if (start.length != problem.variables()) {
            throw new IllegalArgumentException(
                    "A start needs " + problem.variables() + " numbers, got " + start.length);
        }
        Descent descent = new Descent(problem, start);
        for (int iteration = 0; iteration < maxIterations; iteration++) {
            InterruptedComputationException.check();
            if (descent.slope() <= TOLERANCE || !descent.step(SUFFICIENT, HALVINGS)) {
                return descent.minimum(iteration, true);
            }
        }
        return descent.minimum(maxIterations, false);
    }
}
