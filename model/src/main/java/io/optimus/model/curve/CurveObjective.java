package io.optimus.model.curve;

import io.optimus.model.numerics.NonNegativeLeastSquaresProblem;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolution;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolver;
import org.apache.commons.math3.analysis.UnivariateFunction;

/**
 * How badly the best curve with a given limit b2 misses the points: normalised losses up to 1 at steps from 0.
 *
 * <p>With b2 fixed, q(k) = b0·k + b1 is linear, and l − b2 = 1/q. Around an estimate e of l − b2, 1/q is 2e − q·e² but
 * for second order, so that the residual of a point is q·e² − (2e − (l − b2)): rows e²·(k, 1). Starting from e = l − b2
 * itself, these are the rows (l − b2)²·(k, 1) against l − b2, which the paper's rule gives; a second pass starts from the
 * first one's curve, since an observed l − b2 near 0 says little of its own weight. Remembers the best curve of all.
 */
final class CurveObjective implements UnivariateFunction {
    /**
     * The least b1: a curve through normalised losses starts at 1 or less, so that 1/b1 ≤ 1 but for noise; without a
     * bound one high first point makes it start at infinity.
     */
    private static final double LEAST_B1 = 0.5;

    private static final int PASSES = 2;

    private final double[] steps;
    private final double[] losses;
    private final double[] rootWeights;
    private final double weightSum;
    private final NonNegativeLeastSquaresSolver solver = new NonNegativeLeastSquaresSolver();
    private final double[][] columns;
    private final double[] rightSide;
    private double bestSquares = Double.POSITIVE_INFINITY;
    private double bestB0;
    private double bestB1 = 1;
    private double bestB2;

    CurveObjective(double[] steps, double[] losses) {
        this.steps = steps;
        this.losses = losses;
        this.rootWeights = new double[losses.length];
        double sum = 0;
        for (int i = 0; i < losses.length; i++) {
            rootWeights[i] = Preprocessing.rootWeight(i, losses.length);
            sum += rootWeights[i] * rootWeights[i];
        }
        this.weightSum = sum;
        this.columns = new double[2][losses.length];
        this.rightSide = new double[losses.length];
    }

    /** Weighted mean square of the residuals of the best curve with limit {@code b2}, from 0 to the smallest loss. */
    @Override
    public double value(double b2) {
        double least = Double.POSITIVE_INFINITY;
        double b0 = 0;
        double b1 = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            for (int i = 0; i < losses.length; i++) {
                double observed = losses[i] - b2;
                double estimate = pass == 0 ? observed : 1 / (b0 * steps[i] + b1);
                double square = rootWeights[i] * estimate * estimate;
                columns[0][i] = square * steps[i];
                columns[1][i] = square;
                rightSide[i] = rootWeights[i] * (2 * estimate - observed) - square * LEAST_B1;
            }
            NonNegativeLeastSquaresSolution solution =
                    solver.solve(NonNegativeLeastSquaresProblem.ofColumns(columns, rightSide));
            b0 = solution.value(0);
            b1 = LEAST_B1 + solution.value(1);
            least = Math.min(least, remember(b0, b1, b2));
        }
        return least;
    }

    private double remember(double b0, double b1, double b2) {
        double squares = 0;
        for (int i = 0; i < losses.length; i++) {
            double residual = rootWeights[i] * (losses[i] - b2 - 1 / (b0 * steps[i] + b1));
            squares += residual * residual;
        }
        squares /= weightSum;
        if (squares < bestSquares) {
            bestSquares = squares;
            bestB0 = b0;
            bestB1 = b1;
            bestB2 = b2;
        }
        return squares;
    }

    /** Root of the weighted mean square of the best curve's residuals; infinite where none was tried. */
    double residual() {
        return Math.sqrt(bestSquares);
    }

    /** The best curve, with its units put back. */
    LossCurve curve(double offset, double scale, double firstStep, double stepScale) {
        return new LossCurve(bestB0 / stepScale, bestB1, bestB2 + offset / scale, scale, firstStep);
    }
}
