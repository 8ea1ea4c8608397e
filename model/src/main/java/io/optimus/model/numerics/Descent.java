package io.optimus.model.numerics;

/** One run of {@link ProjectedQuasiNewton}: its current point and a model of the function around it. Mutable. */
final class Descent {
    /** A decrease by a smaller part of the value is only rounding. */
    private static final double NOTICEABLE = 1e-12;

    private final BoundedProblem problem;
    private final int n;
    private final QuadraticModel model;
    private double[] point;
    private double[] gradient;
    private double value;
    private boolean steepest = true;

    Descent(BoundedProblem problem, double[] start) {
        this.problem = problem;
        this.n = problem.variables();
        this.model = new QuadraticModel(n);
        point = new double[n];
        gradient = new double[n];
        for (int i = 0; i < n; i++) {
            point[i] = problem.clip(i, start[i]);
        }
        value = problem.valueAndGradient(point, gradient);
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("A descent must start where the function is finite, got " + value);
        }
    }

    /** The largest slope among the variables that are not held. */
    double slope() {
        double largest = 0;
        for (int i = 0; i < n; i++) {
            if (!isHeld(i)) {
                largest = Math.max(largest, Math.abs(gradient[i]));
            }
        }
        return largest;
    }

    private boolean isHeld(int variable) {
        return problem.isHeld(variable, point[variable], gradient[variable]);
    }

    /** Takes a step down; returns false where neither the model's direction nor the steepest one leads down. */
    boolean step(double sufficient, int halvings) {
        boolean[] held = new boolean[n];
        for (int i = 0; i < n; i++) {
            held[i] = isHeld(i);
        }
        while (!goesDown(model.direction(gradient, held), sufficient, halvings)) {
            if (steepest) {
                return false;
            }
            model.forget();
            steepest = true;
        }
        return true;
    }

    private boolean goesDown(double[] direction, double sufficient, int halvings) {
        double[] there = new double[n];
        double[] gradientThere = new double[n];
        double length = 1;
        for (int halving = 0; halving < halvings; halving++, length /= 2) {
            double promised = 0;
            for (int i = 0; i < n; i++) {
                there[i] = problem.clip(i, point[i] + length * direction[i]);
                promised += gradient[i] * (there[i] - point[i]);
            }
            if (promised >= 0) {
                continue;
            }
            double valueThere = problem.valueAndGradient(there, gradientThere);
            if (valueThere <= value + sufficient * promised && value - valueThere > NOTICEABLE * Math.abs(value)) {
                moveTo(there, valueThere, gradientThere);
                return true;
            }
        }
        return false;
    }

    private void moveTo(double[] there, double valueThere, double[] gradientThere) {
        double[] moved = new double[n];
        double[] bent = new double[n];
        for (int i = 0; i < n; i++) {
            moved[i] = there[i] - point[i];
            bent[i] = gradientThere[i] - gradient[i];
        }
        model.learn(moved, bent);
        steepest = false;
        point = there;
        value = valueThere;
        gradient = gradientThere;
    }

    BoundedMinimum minimum(int iterations, boolean converged) {
        return new BoundedMinimum(point, value, iterations, converged);
    }
}
