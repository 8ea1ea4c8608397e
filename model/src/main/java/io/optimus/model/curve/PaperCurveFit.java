package io.optimus.model.curve;

import io.optimus.model.curve.CurveFit.Fitted;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.numerics.NonNegativeLeastSquaresProblem;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolution;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolver;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * Optimus's own fit of a loss curve (section 3.1), with which {@link LossCurveFitter} is compared:
 *
 * <pre>l(k) = 1/(b0·k + b1) + b2,  b0, b1, b2 ≥ 0</pre>
 *
 * <p>where k is the number of steps done and l the loss over the largest loss. With b2 fixed, 1/(l − b2) = b0·k + b1 is linear
 * in b0 and b1, which non-negative least squares find:
 *
 * <pre>minimise Σ_i ( (l_i − b2)² · ( b0·k_i + b1 − 1/(l_i − b2) ) / σ_i )²  over b0, b1 ≥ 0</pre>
 *
 * <p>The weight (l − b2)² turns an error of 1/(l − b2) into one of l, to first order. σ is 1, 1/4 and 1/16 in the first, middle
 * and last third of the points, as in the authors' code. b2 in [0, min l) is the value whose curve misses the losses least,
 * searched on a grid and then by Brent's method around the best.
 *
 * <p>Example: losses of 1, 0.6, 0.4667 and 0.4 after 1, 2, 3 and 4 steps. With b2 = 0.2, 1/(l − 0.2) is 1.25, 2.5, 3.75 and 5,
 * a line with b0 = 1.25 and b1 = 0: the curve 0.8/k + 0.2.
 *
 * <p>{@link CurvePoints} shifts losses below 0, which the paper does not have.
 */
final class PaperCurveFit {
    /** From each third of the points to the next, standard deviations are divided by this (authors' code). */
    static final double RECENCY = 4;

    /** Values of b2 that are tried before the best one is refined. */
    private static final int GRID = 64;

    private static final int MAX_EVALUATIONS = 200;

    /** The accuracy of b2, which is at most 1; noise leaves far more open. */
    private static final double ACCURACY = 1e-9;

    private final CurvePoints points;
    private final NonNegativeLeastSquaresSolver solver = new NonNegativeLeastSquaresSolver();
    private Candidate best = new Candidate(0, 1, 0, Double.POSITIVE_INFINITY);

    /** A curve and the weighted mean square of its residuals. */
    private record Candidate(double b0, double b1, double b2, double meanSquare) {}

    /** Fits {@code points}, whose weights follow from {@link #RECENCY}. */
    PaperCurveFit(CurvePoints points) {
        this.points = points;
        double least = points.smallestLoss();
        with(0);
        for (int i = 1; i < GRID && least > 0; i++) {
            with(i * least / GRID);
        }
        if (least > 0 && best.meanSquare() > 0) {
            refine(best.b2() - least / GRID, best.b2(), Math.min(best.b2() + least / GRID, least * (1 - ACCURACY)));
        }
    }

    private void refine(double from, double start, double to) {
        if (!(Math.max(0, from) < to && start <= to)) {
            // The smallest loss is so small that its grid has no width.
            return;
        }
        new BrentOptimizer(ACCURACY, ACCURACY)
                .optimize(
                        new MaxEval(MAX_EVALUATIONS),
                        new UnivariateObjectiveFunction(b2 -> with(b2).meanSquare()),
                        GoalType.MINIMIZE,
                        new SearchInterval(Math.max(0, from), to, start));
    }

    /** The curve with this b2; it is kept if it is the best so far. */
    private Candidate with(double b2) {
        double[][] rows = new double[points.size()][];
        double[] rightSide = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            double excess = points.loss(i) - b2;
            double weight = Math.sqrt(points.weight(i)) * excess * excess;
            rows[i] = new double[] {weight * points.stepsDone(i), weight};
            rightSide[i] = Math.sqrt(points.weight(i)) * excess;
        }
        NonNegativeLeastSquaresSolution b = solver.solve(NonNegativeLeastSquaresProblem.ofRows(rows, rightSide));
        double meanSquare = 0;
        for (int i = 0; i < rows.length; i++) {
            double missed = points.loss(i) - 1 / (b.value(0) * points.stepsDone(i) + b.value(1)) - b2;
            meanSquare += points.weight(i) * missed * missed;
        }
        Candidate candidate = new Candidate(b.value(0), b.value(1), b2, meanSquare);
        if (meanSquare < best.meanSquare()) {
            best = candidate;
        }
        return candidate;
    }

    /** The best curve; the paper has no other plausible ones and no bends. */
    Fitted fitted(boolean young) {
        InverseDecay curve = new InverseDecay(
                best.b0(),
                best.b0() * (points.firstStep() + 1) + best.b1(),
                best.b2() + points.offset() / points.scale(),
                points.scale(),
                points.firstStep());
        return new Fitted(
                curve,
                List.of(),
                List.of(),
                Math.sqrt(best.meanSquare()),
                points.size(),
                OptionalDouble.empty(),
                young);
    }
}
