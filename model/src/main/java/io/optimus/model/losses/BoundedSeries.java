package io.optimus.model.losses;

import java.util.Arrays;

/**
 * Points of one stretch of a curve, in order, in bounded memory: when full, neighbours are averaged in pairs, and from
 * then on twice as many points are averaged into one as they come, so that all cells stand for equally many.
 */
public final class BoundedSeries {
    private final double[] steps;
    private final double[] losses;
    private int cells;

    /** Points averaged into each cell. */
    private long stride = 1;

    /** Points in the cell that is being filled, at index {@code cells}; 0 where none is. */
    private long filled;

    /** At most {@code maxPoints} points, an even number. */
    BoundedSeries(int maxPoints) {
        this.steps = new double[maxPoints];
        this.losses = new double[maxPoints];
    }

    void add(double step, double loss) {
        double share = 1.0 / ++filled;
        // In this form nothing overflows; the first point of a cell replaces what was there.
        steps[cells] = filled == 1 ? step : steps[cells] * (1 - share) + step * share;
        losses[cells] = filled == 1 ? loss : losses[cells] * (1 - share) + loss * share;
        if (filled == stride) {
            filled = 0;
            cells++;
            if (cells == steps.length) {
                halve();
            }
        }
    }

    private void halve() {
        cells /= 2;
        stride *= 2;
        for (int i = 0; i < cells; i++) {
            steps[i] = (steps[2 * i] + steps[2 * i + 1]) / 2;
            losses[i] = losses[2 * i] / 2 + losses[2 * i + 1] / 2;
        }
    }

    /** How many points there are, averaged ones counting once. */
    public int size() {
        return filled > 0 ? cells + 1 : cells;
    }

    /** Rising; a copy. */
    public double[] steps() {
        return Arrays.copyOf(steps, size());
    }

    /** In order of the steps; a copy. */
    public double[] losses() {
        return Arrays.copyOf(losses, size());
    }
}
