package io.optimus.model.speed;

import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.RealMatrix;

/**
 * The information that measurements give about the coefficients of features: Σ weight·rowᵗ·row, the inverse of their covariance.
 * Mutable; {@link #covariance} is that of the measurements so far.
 */
public final class InformationMatrix {
    /** Keeps a matrix of unit diagonal positive definite in spite of rounding. */
    private static final double ROUNDING = 1e-10;

    private final double[][] information;

    /** Starts with the information {@code prior} about each coefficient, above 0, so that there is a covariance from the start. */
    public InformationMatrix(double[] prior) {
        information = new double[prior.length][prior.length];
        for (int i = 0; i < prior.length; i++) {
            information[i][i] = prior[i];
        }
    }

    /** Adds a measurement of row·coefficients with a variance of 1/{@code weight}. */
    public void add(double[] row, double weight) {
        for (int i = 0; i < row.length; i++) {
            for (int j = 0; j < row.length; j++) {
                information[i][j] += weight * row[i] * row[j];
            }
        }
    }

    public Covariance covariance() {
        int n = information.length;
        double[] scales = new double[n];
        for (int i = 0; i < n; i++) {
            scales[i] = 1 / Math.sqrt(information[i][i]);
        }
        RealMatrix scaled = new Array2DRowRealMatrix(n, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                scaled.setEntry(i, j, information[i][j] * scales[i] * scales[j] + (i == j ? ROUNDING : 0));
            }
        }
        double[][] inverse =
                new CholeskyDecomposition(scaled).getSolver().getInverse().getData();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                inverse[i][j] *= scales[i] * scales[j];
            }
        }
        return new Covariance(inverse);
    }

    /** The covariance of the coefficients of features. */
    public static final class Covariance {
        private final double[][] matrix;

        private Covariance(double[][] matrix) {
            this.matrix = matrix;
        }

        /** The covariance of a·coefficients and b·coefficients. */
        public double between(double[] a, double[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                for (int j = 0; j < b.length; j++) {
                    sum += a[i] * matrix[i][j] * b[j];
                }
            }
            return sum;
        }
    }
}
