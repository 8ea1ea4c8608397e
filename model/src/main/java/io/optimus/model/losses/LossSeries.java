package io.optimus.model.losses;

import java.util.Arrays;

/**
 * The points of one loss curve in order of their steps, in bounded memory: when the series is full, neighbours are averaged in
 * pairs, and from then on twice as many points are averaged into one as they come. So every point that is kept stands for
 * equally many.
 */
public final class LossSeries {
    private final double[] steps;
    private final double[] losses;

    private int complete;

    /** How many points are averaged into one. */
    private long stride = 1;

    /** How many points the average at index {@code complete} has so far; 0 where none has been started. */
    private long filled;

    /** A series of at most {@code maxPoints} points, an even number. */
    LossSeries(int maxPoints) {
        this.steps = new double[maxPoints];
        this.losses = new double[maxPoints];
    }

    void add(double step, double loss) {
        double share = 1.0 / ++filled;
        // In this form nothing overflows; the first point of an average replaces what was there.
        steps[complete] = filled == 1 ? step : steps[complete] * (1 - share) + step * share;
        losses[complete] = filled == 1 ? loss : losses[complete] * (1 - share) + loss * share;
        if (filled == stride) {
            filled = 0;
            complete++;
            if (complete == steps.length) {
                halve();
            }
        }
    }

    private void halve() {
        complete /= 2;
        stride *= 2;
        for (int i = 0; i < complete; i++) {
            steps[i] = (steps[2 * i] + steps[2 * i + 1]) / 2;
            losses[i] = losses[2 * i] / 2 + losses[2 * i + 1] / 2;
        }
    }

    /** The number of points; averaged ones count once. */
    public int size() {
        return filled > 0 ? complete + 1 : complete;
    }

    /** A copy of the steps, rising; an averaged point has the mean of its steps. */
    public double[] steps() {
        return Arrays.copyOf(steps, size());
    }

    /** A copy of the losses, in order of the steps. */
    public double[] losses() {
        return Arrays.copyOf(losses, size());
    }
}
