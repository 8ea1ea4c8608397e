package io.optimus.model.curve;

import io.optimus.model.numerics.NonNegativeLeastSquaresProblem;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolution;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolver;
import java.util.Arrays;

/**
 * A part of a loss curve in which a bend is searched: steps from 0 to 1, losses from 1 to 2, each with the noise around it.
 *
 * <p>A smooth fall is any curve that falls ever more slowly. Inverse decays, power laws, exponentials and all their sums are
 * completely monotone, and every completely monotone function is a sum of exponentials with amplitudes of 0 or more
 * (Bernstein). So non-negative least squares fit it by exponentials on a grid of rates (powers of two), a line and a constant.
 * They cannot follow a bend.
 */
final class CurveSegment {
    /** A part of the range that is too small for a bend: the grid of rates misses a smooth fall by less. */
    private static final double NO_BEND = 5e-3;

    /** The slowest rate, per segment; a curve that falls more slowly is a line plus a little of this one. */
    private static final double SLOWEST = 0.5;

    /** The number of rates; at the fastest, 2^8, a fall is over after a hundredth of the segment. */
    private static final int RATES = 10;

    /** Neighbouring exponentials are alike: one that improves the fit by less would only cost time. */
    private static final double TOLERANCE = 1e-8;

    private final double[] steps;
    private final double[] losses;
    private final double[] noise;

    CurveSegment(double[] steps, double[] losses) {
        double first = steps[0];
        double length = steps[steps.length - 1] - first;
        double least = Arrays.stream(losses).min().orElseThrow();
        double range = Arrays.stream(losses).max().orElseThrow() - least;
        this.steps = Arrays.stream(steps).map(step -> (step - first) / length).toArray();
        // 1 or more, so that non-negative parts can sum to a limit below the smallest loss.
        this.losses = Arrays.stream(losses)
                .map(loss -> 1 + (range > 0 ? (loss - least) / range : 0))
                .toArray();
        this.noise = Arrays.stream(LocalNoise.of(this.losses))
                .map(deviation -> Math.hypot(NO_BEND, deviation))
                .toArray();
    }

    int size() {
        return losses.length;
    }

    double step(int i) {
        return steps[i];
    }

    double loss(int i) {
        return losses[i];
    }

    /** The weight of the square of a residual. */
    double weight(int i) {
        return 1 / (noise[i] * noise[i]);
    }

    /** The squares, in units of the noise, that a smooth fall may miss because of the grid of rates. */
    double floor() {
        double sum = 0;
        for (double each : noise) {
            sum += Math.pow(NO_BEND / each, 2);
        }
        return sum;
    }

    /**
     * Writes to {@code residuals} those of the best smooth fall at the points from {@code from} to before {@code to}, in units
     * of the noise.
     *
     * @param rate per segment; the grid of rates contains this rate times powers of two
     */
    void missedBySmoothFall(int from, int to, double rate, double[] residuals) {
        double slowest = SLOWEST * rate / Math.pow(2, Math.floor(Math.log(rate) / Math.log(2)));
        double length = steps[to - 1] - steps[from];
        double[][] columns = new double[RATES + 2][to - from];
        double[] rightSide = new double[to - from];
        for (int i = from; i < to; i++) {
            double step = (steps[i] - steps[from]) / length;
            double fall = Math.exp(-slowest * step);
            for (int each = 0; each < RATES; each++) {
                columns[each][i - from] = fall / noise[i];
                fall *= fall;
            }
            columns[RATES][i - from] = (1 - step) / noise[i];
            columns[RATES + 1][i - from] = 1 / noise[i];
            rightSide[i - from] = losses[i] / noise[i];
        }
        NonNegativeLeastSquaresSolution solution = new NonNegativeLeastSquaresSolver()
                .withTolerancePerRow(TOLERANCE)
                .solve(NonNegativeLeastSquaresProblem.ofColumns(columns, rightSide));
        for (int i = from; i < to; i++) {
            residuals[i] = rightSide[i - from];
            for (int each = 0; each < columns.length; each++) {
                residuals[i] -= columns[each][i - from] * solution.value(each);
            }
        }
    }

    /** Writes to {@code residuals} those of the mean at the points from {@code from} on, in units of the noise. */
    void missedByConstant(int from, double[] residuals) {
        double mean = Arrays.stream(losses, from, losses.length).average().orElseThrow();
        for (int i = from; i < losses.length; i++) {
            residuals[i] = (losses[i] - mean) / noise[i];
        }
    }

    /** The rate, per segment, of the single exponential decay that fits the losses best. */
    double bestRate() {
        return new RateSearch(new CurvePoints(steps, losses, 1), new Shape.Exponential())
                .onGrid(1)
                .refined()
                .best()
                .rate();
    }
}
