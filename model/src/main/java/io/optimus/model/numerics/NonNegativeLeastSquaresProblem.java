package io.optimus.model.numerics;

/**
 * The problem to find the x ≥ 0 that minimises |A·x − b|₂.
 *
 * <p>Immutable. A may have more columns than rows, columns of very different sizes, collinear and zero columns.
 */
public final class NonNegativeLeastSquaresProblem {
    /** columns[j][i] is the coefficient of x_j in row i. */
    private final double[][] columns;

    private final double[] rightSide;

    private NonNegativeLeastSquaresProblem(double[][] columns, double[] rightSide) {
        this.columns = columns;
        this.rightSide = rightSide;
    }

    /**
     * The problem with these columns of A.
     *
     * @param columns n ≥ 1 columns of m ≥ 1 finite numbers each; copied
     * @param rightSide b, m finite numbers; copied
     * @throws IllegalArgumentException for another shape or a number that is not finite
     */
    public static NonNegativeLeastSquaresProblem ofColumns(double[][] columns, double[] rightSide) {
        if (columns.length == 0 || rightSide.length == 0) {
            throw new IllegalArgumentException("A least-squares problem needs at least one row and one column, got "
                    + rightSide.length + " rows and " + columns.length + " columns");
        }
        double[][] copy = new double[columns.length][];
        for (int j = 0; j < columns.length; j++) {
            copy[j] = checked("column " + j, columns[j], rightSide.length);
        }
        return new NonNegativeLeastSquaresProblem(copy, checked("the right side", rightSide, rightSide.length));
    }

    /**
     * The problem with these rows of A.
     *
     * @param rows m ≥ 1 rows of n ≥ 1 finite numbers each; copied
     * @param rightSide b, m finite numbers; copied
     * @throws IllegalArgumentException for another shape or a number that is not finite
     */
    public static NonNegativeLeastSquaresProblem ofRows(double[][] rows, double[] rightSide) {
        int width = rows.length == 0 ? 0 : rows[0].length;
        double[][] columns = new double[width][rows.length];
        for (int i = 0; i < rows.length; i++) {
            if (rows[i].length != width) {
                throw new IllegalArgumentException(
                        "Row " + i + " has " + rows[i].length + " coefficients, row 0 has " + width);
            }
            for (int j = 0; j < width; j++) {
                columns[j][i] = rows[i][j];
            }
        }
        return ofColumns(columns, rightSide);
    }

    private static double[] checked(String what, double[] numbers, int length) {
        if (numbers.length != length) {
            throw new IllegalArgumentException(what + " has " + numbers.length + " rows, the right side has " + length);
        }
        for (int i = 0; i < length; i++) {
            if (!Double.isFinite(numbers[i])) {
                throw new IllegalArgumentException(
                        "Only finite numbers can be fitted, got " + numbers[i] + " in row " + i + " of " + what);
            }
        }
        return numbers.clone();
    }

    /** The number of rows m, 1 or more. */
    public int rows() {
        return rightSide.length;
    }

    /** The number of columns n, 1 or more. */
    public int columns() {
        return columns.length;
    }

    /** |A·x − b|₂. */
    double residualNorm(double[] x) {
        double[] residual = residual(x);
        double factor = factor(residual);
        return norm(residual, factor) / factor;
    }

    /** b − A·x. */
    double[] residual(double[] x) {
        double[] residual = rightSide.clone();
        for (int j = 0; j < columns.length; j++) {
            for (int i = 0; x[j] != 0 && i < residual.length; i++) {
                residual[i] -= columns[j][i] * x[j];
            }
        }
        return residual;
    }

    /** A new array with column {@code j} divided by its norm, which is written to {@code norms[j]}. */
    double[] scaledColumn(int j, double[] norms) {
        return scaled(columns[j], j, norms);
    }

    /** A new array with b divided by its norm, which is written to the last place of {@code norms}. */
    double[] scaledRightSide(double[] norms) {
        return scaled(rightSide, columns.length, norms);
    }

    /** {@code numbers} divided by their norm, which is written to {@code norms[index]}; zeros stay zeros, with norm 0. */
    private static double[] scaled(double[] numbers, int index, double[] norms) {
        double[] result = new double[numbers.length];
        double factor = factor(numbers);
        double norm = norm(numbers, factor);
        if (norm > 0) {
            for (int i = 0; i < result.length; i++) {
                result[i] = numbers[i] * factor / norm;
            }
            norms[index] = Math.min(Double.MAX_VALUE, norm / factor);
        }
        return result;
    }

    /** The power of two that brings the largest absolute value near 1, so that no square overflows and no digit is lost. */
    private static double factor(double[] numbers) {
        double largest = 0;
        for (double number : numbers) {
            largest = Math.max(largest, Math.abs(number));
        }
        return largest == 0 ? 1 : Math.scalb(1.0, -Math.getExponent(largest));
    }

    /** The norm of numbers·factor. */
    private static double norm(double[] numbers, double factor) {
        double squares = 0;
        for (double number : numbers) {
            double relative = number * factor;
            squares += relative * relative;
        }
        return Math.sqrt(squares);
    }
}
