package io.optimus.model.curve;

import io.optimus.model.losses.Preprocessing;
import io.optimus.model.numerics.Autocorrelation;
import java.util.Arrays;

/**
 * The points of one curve, ready to be fitted: steps from 0 to 1, losses up to 1, weights that sum to 1.
 *
 * <p>Losses below 0 (log-likelihoods, rewards) are shifted into the upper half of (0, 1]; then the limit may be as far below the
 * smallest loss as that is below the largest.
 */
final class CurvePoints {
    private final double[] steps;
    private final double[] losses;
    private final double[] weights;
    private final double offset;
    private final double scale;
    private final double firstStep;
    private final double stepScale;

    /**
     * Normalises points without outliers.
     *
     * @param steps rising, two or more
     * @param losses finite
     * @param recency how much more late points weigh, see {@link Preprocessing#weights}
     */
    CurvePoints(double[] steps, double[] losses, double recency) {
        double least = Arrays.stream(losses).min().orElseThrow();
        double largest = Arrays.stream(losses).max().orElseThrow();
        this.offset = least < 0 || largest <= 0 ? shift(least, largest) : 0;
        this.scale = largest - offset;
        this.firstStep = steps[0];
        this.stepScale = steps[steps.length - 1] - firstStep;
        this.losses = Arrays.stream(losses).map(loss -> (loss - offset) / scale).toArray();
        this.steps =
                Arrays.stream(steps).map(step -> (step - firstStep) / stepScale).toArray();
        this.weights = Preprocessing.weights(losses.length, recency);
    }

    /** The offset: as far below the smallest loss as that is below the largest; for equal losses, by their own amount. */
    private static double shift(double least, double largest) {
        double room = largest > least ? largest - least : Math.max(1, Math.abs(least));
        return least - room;
    }

    int size() {
        return losses.length;
    }

    double step(int i) {
        return steps[i];
    }

    /** The steps done at a point, in the job's own units. */
    double stepsDone(int i) {
        return firstStep + stepScale * steps[i] + 1;
    }

    /** Writes to {@code falls} the value of {@code shape} at each point. */
    void falls(Shape shape, double rate, double[] falls) {
        shape.at(rate, steps, falls);
    }

    double loss(int i) {
        return losses[i];
    }

    double smallestLoss() {
        return Arrays.stream(losses).min().orElseThrow();
    }

    double weight(int i) {
        return weights[i];
    }

    /** A normalised loss in the job's own units. */
    double lossOf(double normalised) {
        return offset + scale * normalised;
    }

    /** The amount subtracted from the losses before they were divided by {@link #scale}. */
    double offset() {
        return offset;
    }

    double scale() {
        return scale;
    }

    double firstStep() {
        return firstStep;
    }

    /** A rate per step, from one per normalised step. */
    double ratePerStep(double rate) {
        return rate / stepScale;
    }

    /**
     * The number of independent points of equal weight with as much information as these: (Σw)²/Σw², less if neighbouring
     * {@code residuals} are alike.
     */
    double effectiveSize(double[] residuals) {
        double squares = Arrays.stream(weights).map(weight -> weight * weight).sum();
        return Autocorrelation.independent(residuals) / residuals.length / squares;
    }
}
