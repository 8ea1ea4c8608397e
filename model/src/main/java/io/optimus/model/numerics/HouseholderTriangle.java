package io.optimus.model.numerics;

/** Householder reflections of columns, in place. */
final class HouseholderTriangle {
    private HouseholderTriangle() {}

    /**
     * Reflects {@code columns[pivot]} so that it is zero below row {@code row}, and every column of {@code columns}
     * after the pivot and {@code rightSide} along with it.
     */
    static void reflect(double[][] columns, int pivot, int row, double[] rightSide) {
        double[] column = columns[pivot];
        double norm = norm(column, row);
        if (norm == 0) {
            return;
        }
        double diagonal = column[row] > 0 ? -norm : norm;
        column[row] -= diagonal;
        // v = column[row..]; the reflection is I − v·vᵗ / factor with factor = −diagonal·v[row] = |v|²/2
        double factor = -diagonal * column[row];
        for (int j = pivot + 1; j < columns.length; j++) {
            apply(column, row, factor, columns[j]);
        }
        apply(column, row, factor, rightSide);
        column[row] = diagonal;
        for (int i = row + 1; i < column.length; i++) {
            column[i] = 0;
        }
    }

    private static void apply(double[] v, int row, double factor, double[] target) {
        double product = 0;
        for (int i = row; i < v.length; i++) {
            product += v[i] * target[i];
        }
        double times = product / factor;
        for (int i = row; times != 0 && i < v.length; i++) {
            target[i] -= times * v[i];
        }
    }

    /** The norm of {@code column} from {@code row} on; its numbers are at most 1, so that nothing overflows. */
    static double norm(double[] column, int row) {
        double squares = 0;
        for (int i = row; i < column.length; i++) {
            squares += column[i] * column[i];
        }
        return Math.sqrt(squares);
    }
}
