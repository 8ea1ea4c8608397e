package io.optimus.model.speed;

import io.optimus.model.Allocation;
import io.optimus.model.numerics.NonNegativeLeastSquaresProblem;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolver;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * Fits a speed function to measured sizes (Optimus, section 3.2) by non-negative least squares on the seconds of a step. Every row
 * is divided by the measured seconds, so that relative errors are minimised.
 *
 * <pre>minimise Σ_i weight_i · ( Σ_j t_j·feature_j(a_i) / seconds_i − 1 )²  over t ≥ 0</pre>
 *
 * <p>If sizes on one node and sizes on several were measured, the transfer between nodes is a feature too (see {@link
 * PlacedSpeed}). Otherwise it could not be told from the others, and nodes make no difference.
 *
 * <p>Stateless.
 */
public final class SpeedFitter {
    /**
     * Two sizes cannot tell an added worker from an added server; three give a first, poor idea of where to grow, and growing
     * measures more sizes.
     */
    private static final int FEWEST_SIZES = 3;

    /** A larger error hides the worth of one more task; from ten sizes, measured surfaces are known to a tenth. */
    public static final double YOUNG_ERROR = 0.25;

    private final SpeedForm form;
    private final NonNegativeLeastSquaresSolver solver = new NonNegativeLeastSquaresSolver();

    public SpeedFitter(SpeedForm form) {
        this.form = form;
    }

    /**
     * Fits a function to {@code measured}.
     *
     * @param measured the measured sizes, as {@link SpeedSamples#sizes()} gives them
     * @param range the sizes that the job can run on; if there is only one, its measurement is enough
     */
    public SpeedFit fit(MeasuredSizes measured, SizeRange range) {
        Set<Allocation> allocations = measured.allocations();
        int seen = allocations.size();
        if (!areEnough(allocations, form, range)) {
            int needed = Math.min(FEWEST_SIZES, form.degreesOfFreedom(range));
            return new SpeedFit.NotYet(seen, Math.max(seen + 1, needed));
        }
        double[] coefficients = solver.solve(problem(measured)).toArray();
        double sum = DoubleStream.of(coefficients)
                .limit(coefficients.length - (measured.tellPlacement() ? 1 : 0))
                .sum();
        if (!(sum > 0 && sum < Double.POSITIVE_INFINITY)) {
            return new SpeedFit.Impossible("No speed function goes through " + measured.sizes()
                    + ": its seconds on one node add up to " + sum);
        }
        SpeedFunction function = function(coefficients, measured);
        SpeedConfidence confidence = new SpeedConfidence(form, function, measured);
        return new SpeedFit.Fitted(
                new MeasuredSpeed(function, measured),
                meanRelativeError(function, measured),
                seen,
                confidence,
                confidence.standardError(range.next(allocations)) > YOUNG_ERROR);
    }

    /** The function with these coefficients; that of the placement comes last, if it was fitted. */
    private SpeedFunction function(double[] coefficients, MeasuredSizes measured) {
        SpeedFunction together = form.function(coefficients);
        return measured.tellPlacement()
                ? new PlacedSpeed(together, form, coefficients[coefficients.length - 1], measured.densestTasksPerNode())
                : together;
    }

    /**
     * Whether a function can be fitted to these sizes: there are enough, and they differ in each role whose number may differ.
     * Sizes that all have one worker say nothing about a second one.
     */
    public static boolean areEnough(Set<Allocation> sizes, SpeedForm form, SizeRange range) {
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

    private NonNegativeLeastSquaresProblem problem(MeasuredSizes measured) {
        double[][] rows = new double[measured.sizes().size()][];
        double[] rightSide = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            MeasuredSize size = measured.sizes().get(i);
            double root = Math.sqrt(size.weight());
            double seconds = form.seconds(size.allocation(), size.stepsPerSecond());
            double[] row = form.features(size.allocation());
            if (measured.tellPlacement()) {
                row = Arrays.copyOf(row, row.length + 1);
                row[row.length - 1] = PlacedSpeed.crossing(size.allocation(), size.nodes());
            }
            for (int j = 0; j < row.length; j++) {
                row[j] *= root / seconds;
            }
            rows[i] = row;
            rightSide[i] = root;
        }
        return NonNegativeLeastSquaresProblem.ofRows(rows, rightSide);
    }

    private static double meanRelativeError(SpeedFunction function, MeasuredSizes measured) {
        return measured.sizes().stream()
                .mapToDouble(size ->
                        Math.abs(function.stepsPerSecond(size.allocation(), size.nodes()) / size.stepsPerSecond() - 1))
                .average()
                .orElseThrow();
    }
}
