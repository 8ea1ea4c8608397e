package io.optimus.model.speed;

import io.optimus.model.Allocation;
import io.optimus.model.numerics.NonNegativeLeastSquaresProblem;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolution;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolver;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * Fits a speed function to measured sizes (Optimus, section 3.2): non-negative least squares on the seconds of a step,
 * every row divided by the measured seconds, so that it is the relative error that is least.
 *
 * <pre>minimise Σ_i ( Σ_j t_j·feature_j(a_i) / seconds_i − 1 )²  over t ≥ 0</pre>
 *
 * <p>Stateless.
 */
public final class SpeedFitter {
    /**
     * Two sizes cannot tell an added worker from an added server; with three there is a first idea, however poor, to
     * grow by. Growing measures more.
     */
    private static final int FEWEST_SIZES = 3;

    private final SpeedForm form;
    private final NonNegativeLeastSquaresSolver solver = new NonNegativeLeastSquaresSolver();

    /** For functions of {@code form}. */
    public SpeedFitter(SpeedForm form) {
        this.form = form;
    }

    /**
     * Fits.
     *
     * @param measured steps per second by size that ran, as {@link SpeedSamples#speeds()} gives them
     * @param range what the job can run on; with a single size, that one measured is enough
     */
    public SpeedFit fit(SortedMap<Allocation, Double> measured, SizeRange range) {
        int freedom = form.degreesOfFreedom(range);
        if (!areEnough(measured.keySet(), form, range)) {
            return new SpeedFit.NotYet(measured.size(), Math.max(measured.size() + 1, Math.min(FEWEST_SIZES, freedom)));
        }
        NonNegativeLeastSquaresSolution solution = solver.solve(problem(measured));
        double[] coefficients = solution.toArray();
        double sum = 0;
        for (double coefficient : coefficients) {
            sum += coefficient;
        }
        if (!(sum > 0 && sum < Double.POSITIVE_INFINITY)) {
            return new SpeedFit.Impossible(
                    "No speed function goes through " + measured + ": its seconds add up to " + sum);
        }
        SpeedFunction function = form.function(coefficients);
        return new SpeedFit.Fitted(
                new MeasuredSpeed(function, measured),
                meanRelativeError(function, measured),
                measured.size(),
                measured.size() < freedom);
    }

    /**
     * Whether a function can be fitted to these sizes: there are enough, and they differ in each role whose number may
     * differ. Sizes that all have one worker say nothing of a second one.
     */
    static boolean areEnough(Set<Allocation> sizes, SpeedForm form, SizeRange range) {
        return sizes.size() >= Math.min(FEWEST_SIZES, form.degreesOfFreedom(range))
                && (range.serverCounts() == 1
                        || sizes.stream()
                                        .map(Allocation::parameterServers)
                                        .distinct()
                                        .count()
                                > 1)
                && (range.workerCounts() == 1
                        || sizes.stream().map(Allocation::workers).distinct().count() > 1);
    }

    private NonNegativeLeastSquaresProblem problem(SortedMap<Allocation, Double> measured) {
        double[][] rows = new double[measured.size()][];
        double[] ones = new double[rows.length];
        int i = 0;
        for (Map.Entry<Allocation, Double> size : measured.entrySet()) {
            double seconds = form.seconds(size.getKey(), size.getValue());
            double[] row = form.features(size.getKey());
            for (int j = 0; j < row.length; j++) {
                row[j] /= seconds;
            }
            ones[i] = 1;
            rows[i++] = row;
        }
        return NonNegativeLeastSquaresProblem.ofRows(rows, ones);
    }

    private static double meanRelativeError(SpeedFunction function, SortedMap<Allocation, Double> measured) {
        double sum = 0;
        for (Map.Entry<Allocation, Double> size : measured.entrySet()) {
            sum += Math.abs(function.stepsPerSecond(size.getKey()) / size.getValue() - 1);
        }
        return sum / measured.size();
    }
}
