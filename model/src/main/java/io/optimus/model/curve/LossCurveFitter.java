package io.optimus.model.curve;

import java.util.Arrays;
import org.apache.commons.math3.exception.TooManyEvaluationsException;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * Fits l(k) = 1/(b0·k + b1) + b2 to a job's losses (Optimus, section 3.1).
 *
 * <ol>
 *   <li>points since the last bend; where they are too few, those before it
 *   <li>outliers replaced, averaged down to {@value #MAX_POINTS} points, divided by the largest loss
 *   <li>the b2 in [0, smallest loss] whose best b0 and b1 miss the points least, late points weighing more: a coarse grid,
 *       then Brent's method around its best
 * </ol>
 *
 * <p>Losses below 0 (log-likelihoods, rewards) are shifted first so that they lie in the upper half of (0, 1]; then the
 * limit may be as far below the smallest loss as that is below the largest. Stateless, deterministic, and bounded: some 50
 * small least-squares problems.
 */
public final class LossCurveFitter {
    /** Three parameters, and as many points again to see whether they hold, and two for the ends of the outlier window. */
    static final int FEWEST_POINTS = 8;

    /** With three times the fewest, each third that weights differ by could be fitted alone. */
    private static final int YOUNG_POINTS = 3 * FEWEST_POINTS;

    /** More points do not make a three-parameter curve better, only slower. */
    private static final int MAX_POINTS = 128;

    private static final int GRID = 12;
    private static final int MAX_EVALUATIONS = 40;

    /** Of b2, whose unit is the largest loss: far below what noise leaves of it. */
    private static final double ACCURACY = 1e-7;

    /** Fits the curve of {@code history}. */
    public CurveFit fit(LossHistory history) {
        BoundedSeries series = history.sinceBend();
        boolean stale = series.size() < FEWEST_POINTS && history.beforeBend().size() >= FEWEST_POINTS;
        if (stale) {
            series = history.beforeBend();
        }
        if (series.size() >= FEWEST_POINTS) {
            return fit(series.steps(), series.losses(), stale);
        }
        if (history.taken() == 0 && history.ignored() >= FEWEST_POINTS) {
            return new CurveFit.Impossible("none of the " + history.ignored()
                    + " reported losses is a finite number at a step after the one before");
        }
        return new CurveFit.NotYet(series.size(), FEWEST_POINTS);
    }

    private static CurveFit fit(double[] allSteps, double[] allLosses, boolean stale) {
        double[] steps = Preprocessing.averagedDown(allSteps, MAX_POINTS);
        double[] losses = Preprocessing.averagedDown(Preprocessing.withoutOutliers(allLosses), MAX_POINTS);
        double min = Arrays.stream(losses).min().orElseThrow();
        double max = Arrays.stream(losses).max().orElseThrow();
        double offset = min < 0 || max <= 0 ? shift(min, max) : 0;
        double scale = max - offset;
        double firstStep = steps[0];
        double stepScale = steps[steps.length - 1] - firstStep;
        for (int i = 0; i < losses.length; i++) {
            losses[i] = (losses[i] - offset) / scale;
            steps[i] = (steps[i] - firstStep) / stepScale;
        }
        CurveObjective objective = new CurveObjective(steps, losses);
        search(objective, (min - offset) / scale);
        return new CurveFit.Fitted(
                objective.curve(offset, scale, firstStep, stepScale),
                objective.residual(),
                losses.length,
                stale || losses.length < YOUNG_POINTS);
    }

    /** As far below the smallest loss as that is below the largest; of equal losses, their own amount. */
    private static double shift(double min, double max) {
        double room = max > min ? max - min : Math.max(1, Math.abs(min));
        return min - room;
    }

    private static void search(CurveObjective objective, double largestB2) {
        double best = Double.POSITIVE_INFINITY;
        int at = 0;
        for (int i = 0; i <= GRID; i++) {
            double value = objective.value(largestB2 * i / GRID);
            if (value < best) {
                best = value;
                at = i;
            }
        }
        double low = largestB2 * Math.max(0, at - 1) / GRID;
        double high = largestB2 * Math.min(GRID, at + 1) / GRID;
        if (low < high && best > 0) {
            refine(objective, low, high, largestB2 * at / GRID);
        }
    }

    private static void refine(CurveObjective objective, double low, double high, double start) {
        try {
            new BrentOptimizer(ACCURACY, ACCURACY)
                    .optimize(
                            new MaxEval(MAX_EVALUATIONS),
                            new UnivariateObjectiveFunction(objective),
                            GoalType.MINIMIZE,
                            new SearchInterval(low, high, Math.min(high, Math.max(low, start))));
        } catch (TooManyEvaluationsException enough) {
            // The objective remembers the best curve that it saw: good enough where the search does not settle.
            return;
        }
    }
}
