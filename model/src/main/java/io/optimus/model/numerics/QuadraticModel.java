package io.optimus.model.numerics;

import java.util.Arrays;
import java.util.stream.IntStream;

/** A positive definite estimate of a function's second derivatives, learned from changes of the gradient. Mutable. */
final class QuadraticModel {
    /** Powell's damping: if the observed curvature is less than this part of the expected one, the two are mixed. */
    private static final double DAMPING = 0.2;

    private final int n;
    private final double[][] curvature;
    private boolean fresh;

    QuadraticModel(int n) {
        this.n = n;
        this.curvature = new double[n][n];
        forget();
    }

    /** Resets the model, which then gives the direction of steepest descent. */
    void forget() {
        scaledIdentity(1);
        fresh = true;
    }

    private void scaledIdentity(double scale) {
        for (int i = 0; i < n; i++) {
            Arrays.fill(curvature[i], 0);
            curvature[i][i] = scale;
        }
    }

    /** The step to the model's minimum over the variables that are not held; 0 for the others. */
    double[] direction(double[] gradient, boolean[] held) {
        int[] free = IntStream.range(0, n).filter(i -> !held[i]).toArray();
        double[] direction = new double[n];
        double[] solved = solve(free, gradient);
        for (int k = 0; k < free.length; k++) {
            direction[free[k]] = -solved[k];
        }
        return direction;
    }

    /** Solves by Cholesky's decomposition of the rows and columns {@code free}. */
    private double[] solve(int[] free, double[] gradient) {
        int m = free.length;
        double[][] factor = new double[m][m];
        double[] x = new double[m];
        for (int i = 0; i < m; i++) {
            double right = gradient[free[i]];
            for (int j = 0; j <= i; j++) {
                double sum = curvature[free[i]][free[j]];
                for (int k = 0; k < j; k++) {
                    sum -= factor[i][k] * factor[j][k];
                }
                // Without rounding it would be positive.
                factor[i][j] = i == j ? Math.sqrt(Math.max(sum, Double.MIN_NORMAL)) : sum / factor[j][j];
                right -= j < i ? factor[i][j] * x[j] : 0;
            }
            x[i] = right / factor[i][i];
        }
        for (int i = m - 1; i >= 0; i--) {
            for (int k = i + 1; k < m; k++) {
                x[i] -= factor[k][i] * x[k];
            }
            x[i] /= factor[i][i];
        }
        return x;
    }

    /** Learns that the gradient changed by {@code bent} over a step {@code moved}. */
    void learn(double[] moved, double[] bent) {
        double seen = dot(moved, bent);
        if (fresh && seen > 0) {
            scaledIdentity(bentWhereMoved(moved, bent) / seen); // The model has the right scale from the first step on.
        }
        fresh = false;
        double[] expected = new double[n];
        for (int i = 0; i < n; i++) {
            expected[i] = dot(curvature[i], moved);
        }
        double expectedBend = dot(moved, expected);
        if (!(expectedBend > 0)) {
            return;
        }
        double trust = seen >= DAMPING * expectedBend ? 1 : (1 - DAMPING) * expectedBend / (expectedBend - seen);
        double bend = trust * seen + (1 - trust) * expectedBend;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                curvature[i][j] += mixed(trust, bent[i], expected[i]) * mixed(trust, bent[j], expected[j]) / bend
                        - expected[i] * expected[j] / expectedBend;
            }
        }
    }

    /**
     * The square of the part of {@code bent} that a step explains; held variables are left out, because nothing is learned
     * about them.
     */
    private static double bentWhereMoved(double[] moved, double[] bent) {
        double sum = 0;
        for (int i = 0; i < moved.length; i++) {
            sum += moved[i] == 0 ? 0 : bent[i] * bent[i];
        }
        return sum;
    }

    private static double mixed(double trust, double seen, double expected) {
        return trust * seen + (1 - trust) * expected;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
