package io.optimus.model.numerics;

/**
 * The problem to find the x with lower ≤ x ≤ upper that minimises a differentiable function.
 *
 * <p>Immutable as long as its function is. A variable whose bounds are equal is pinned.
 */
public final class BoundedProblem {
    private final DifferentiableFunction function;
    private final double[] lower;
    private final double[] upper;

    /**
     * The problem to minimise {@code function} between bounds.
     *
     * @param lower n ≥ 1 numbers, may be negative infinity; copied
     * @param upper as many, none below {@code lower}, may be infinity; copied
     */
    public BoundedProblem(DifferentiableFunction function, double[] lower, double[] upper) {
        if (lower.length == 0 || lower.length != upper.length) {
            throw new IllegalArgumentException("A problem needs as many lower as upper bounds, 1 or more, got "
                    + lower.length + " and " + upper.length);
        }
        for (int i = 0; i < lower.length; i++) {
            if (!(lower[i] <= upper[i])) {
                throw new IllegalArgumentException("Bound " + i + ": the lower one must not exceed the upper one, got "
                        + lower[i] + " and " + upper[i]);
            }
        }
        this.function = function;
        this.lower = lower.clone();
        this.upper = upper.clone();
    }

    /** The number of variables, 1 or more. */
    public int variables() {
        return lower.length;
    }

    double valueAndGradient(double[] point, double[] gradient) {
        return function.valueAndGradient(point, gradient);
    }

    double clip(int variable, double value) {
        return Math.max(lower[variable], Math.min(upper[variable], value));
    }

    /** Whether a descent would leave the bounds, so that the variable stays at its value. */
    boolean isHeld(int variable, double value, double slope) {
        return (value <= lower[variable] && slope >= 0) || (value >= upper[variable] && slope <= 0);
    }
}
