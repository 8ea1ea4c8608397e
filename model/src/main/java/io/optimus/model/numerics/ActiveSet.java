package io.optimus.model.numerics;

import io.optimus.model.InterruptedComputationException;
import java.util.Arrays;

/** One run of the method of Lawson and Hanson on columns and a right side of length 1 (or 0). */
final class ActiveSet {
    private static final double[] NOT_ENTERED = {};

    /** The problem in upper triangular form: columns of at most n numbers, and a right side. */
    private final double[][] triangle;

    private final double[] rightSide;
    private final double tolerance;

    /** The columns that have entered, in order of their entry; only the first {@code size} are valid. */
    private final int[] entered;

    private int size;

    /** The part of the column that entered last that the others do not span, from 0 to 1. */
    private double lastIndependentPart;

    private int iterations;
    private final boolean[] isEntered;
    private final boolean[] waits;
    private final double[] x;

    ActiveSet(double[][] columns, double[] rightSide, double tolerance) {
        int n = columns.length;
        int rows = Math.min(n, rightSide.length);
        for (int j = 0; j < rows; j++) {
            HouseholderTriangle.reflect(columns, j, j, rightSide);
        }
        this.triangle = new double[n][];
        for (int j = 0; j < n; j++) {
            triangle[j] = Arrays.copyOf(columns[j], rows);
        }
        this.rightSide = Arrays.copyOf(rightSide, rows);
        this.tolerance = tolerance;
        this.entered = new int[n];
        this.isEntered = new boolean[n];
        this.waits = new boolean[n];
        this.x = new double[n];
    }

    /** Runs until the solution is optimal (true) or {@code maxIterations} are reached (false). */
    boolean run(int maxIterations) {
        int candidate = mostWanted();
        while (candidate >= 0) {
            InterruptedComputationException.check();
            if (iterations >= maxIterations) {
                return false;
            }
            double[] target = enter(candidate);
            if (target.length == 0) {
                waits[candidate] = true;
            } else {
                Arrays.fill(waits, false);
                if (!moveTo(target, maxIterations)) {
                    return false;
                }
            }
            candidate = mostWanted();
        }
        return true;
    }

    double[] values() {
        return x.clone();
    }

    int iterations() {
        return iterations;
    }

    /**
     * The column that has not entered and whose product with the residual is largest and above the tolerance; −1 if there is
     * none.
     */
    private int mostWanted() {
        double[] residual = residual();
        int best = -1;
        double bestProduct = tolerance;
        for (int j = 0; j < triangle.length; j++) {
            if (!isEntered[j] && !waits[j]) {
                double product = 0;
                for (int i = 0; i < residual.length; i++) {
                    product += triangle[j][i] * residual[i];
                }
                if (product > bestProduct) {
                    best = j;
                    bestProduct = product;
                }
            }
        }
        return best;
    }

    private double[] residual() {
        double[] residual = rightSide.clone();
        for (int k = 0; k < size; k++) {
            int j = entered[k];
            for (int i = 0; i < residual.length; i++) {
                residual[i] -= triangle[j][i] * x[j];
            }
        }
        return residual;
    }

    /**
     * Adds {@code column} and returns the least-squares solution with it. If the column depends on those entered or would not
     * become positive, it adds nothing and returns {@link #NOT_ENTERED}.
     */
    private double[] enter(int column) {
        if (size == rightSide.length) {
            return NOT_ENTERED;
        }
        entered[size++] = column;
        double[] solution = solveEntered();
        if (lastIndependentPart <= tolerance || !(solution[size - 1] > 0)) {
            size--;
            return NOT_ENTERED;
        }
        isEntered[column] = true;
        return solution;
    }

    /**
     * Moves x to {@code target}, the unconstrained solution on the entered columns. If a part reaches zero on the way, it stops
     * there, drops that column, and goes on to the solution on the rest. Returns false at the limit of iterations.
     */
    private boolean moveTo(double[] target, int maxIterations) {
        double[] solution = target;
        iterations++;
        int limiting = limiting(solution);
        while (limiting >= 0) {
            double step = x[entered[limiting]] / (x[entered[limiting]] - solution[limiting]);
            for (int k = 0; k < size; k++) {
                x[entered[k]] += step * (solution[k] - x[entered[k]]);
            }
            x[entered[limiting]] = 0;
            dropZeros();
            if (iterations >= maxIterations || size == 0) {
                return size == 0;
            }
            solution = solveEntered();
            iterations++;
            limiting = limiting(solution);
        }
        for (int k = 0; k < size; k++) {
            x[entered[k]] = solution[k];
        }
        return true;
    }

    /** The index of the entered column that reaches zero first on the way to {@code solution}; −1 where none does. */
    private int limiting(double[] solution) {
        int limiting = -1;
        double smallest = Double.POSITIVE_INFINITY;
        for (int k = 0; k < size; k++) {
            if (!(solution[k] > 0)) {
                double here = x[entered[k]];
                double step = here / (here - solution[k]);
                if (limiting < 0 || step < smallest) {
                    smallest = step;
                    limiting = k;
                }
            }
        }
        return limiting;
    }

    private void dropZeros() {
        int kept = 0;
        for (int k = 0; k < size; k++) {
            int j = entered[k];
            if (x[j] > 0) {
                entered[kept++] = j;
            } else {
                x[j] = 0;
                isEntered[j] = false;
            }
        }
        size = kept;
    }

    /** The least-squares solution on the entered columns, in order of entry. */
    private double[] solveEntered() {
        double[][] columns = new double[size][];
        for (int k = 0; k < size; k++) {
            columns[k] = triangle[entered[k]].clone();
        }
        double[] right = rightSide.clone();
        for (int k = 0; k < size; k++) {
            HouseholderTriangle.reflect(columns, k, k, right);
        }
        lastIndependentPart = Math.abs(columns[size - 1][size - 1]);
        double[] solution = new double[size];
        for (int k = size - 1; k >= 0; k--) {
            double sum = right[k];
            for (int l = k + 1; l < size; l++) {
                sum -= columns[l][k] * solution[l];
            }
            solution[k] = sum / columns[k][k];
        }
        return solution;
    }
}
