package io.optimus.model.losses;

import io.optimus.model.curve.LossCurveFitter;
import java.util.ArrayList;
import java.util.List;

/**
 * The losses that a job reported, in bounded memory whatever it reports.
 *
 * <p>When there are more points than are kept, neighbours are averaged. Points that cannot be part of a curve (a loss
 * that is not finite or beyond {@value #LARGEST_LOSS}, a step below 0, beyond {@value #LARGEST_STEP}, not after the last
 * one) are ignored and counted.
 * Where a bend is announced (a learning-rate drop, a restart, another staleness) a new curve begins; the points before it
 * are kept until the new curve has enough of its own. Mutable; not safe for several threads.
 */
public final class LossHistory {
    /** What a fit can use: the protocol's history carries as many. */
    private static final int DEFAULT_POINTS = 512;

    /** Beyond it no training comes back, and squares of what is below stay finite. */
    private static final double LARGEST_LOSS = 1e100;

    /** 2^53: beyond it, one step is not told from the next as a double, and a curve may begin and end at once. */
    private static final long LARGEST_STEP = 1L << 53;

    private final int maxPoints;
    private EpochMeans epochs;
    private BoundedSeries current;
    private BoundedSeries before;
    private long lastStep = -1;
    private boolean bends;
    private long taken;
    private long ignored;

    /** Losses in a row, the last ones, that were not finite or too large. */
    private long lost;

    /**
     * Keeps {@value #DEFAULT_POINTS} points a curve.
     *
     * @param stepsPerEpoch above 0 and finite
     */
    public LossHistory(double stepsPerEpoch) {
        this(stepsPerEpoch, DEFAULT_POINTS);
    }

    /**
     * Keeps {@code maxPoints} points a curve.
     *
     * @param stepsPerEpoch above 0 and finite
     * @param maxPoints an even number, 2 or more
     */
    public LossHistory(double stepsPerEpoch, int maxPoints) {
        if (maxPoints < 2 || maxPoints % 2 != 0) {
            throw new IllegalArgumentException("An even number of points is kept, 2 or more, got " + maxPoints);
        }
        this.maxPoints = maxPoints;
        this.epochs = new EpochMeans(stepsPerEpoch);
        this.current = new BoundedSeries(maxPoints);
        this.before = new BoundedSeries(2);
    }

    /** Takes {@code point} in and returns true, or ignores and counts it where it cannot be part of the curve. */
    public boolean add(LossPoint point) {
        boolean finite = Math.abs(point.loss()) <= LARGEST_LOSS;
        lost = finite ? 0 : lost + 1;
        boolean usable = finite && point.step() >= 0 && point.step() <= LARGEST_STEP;
        if (!usable || (!bends && point.step() <= lastStep)) {
            ignored++;
            return false;
        }
        if (bends) {
            beginCurve();
        }
        epochs.add(lastStep, point.step(), point.loss());
        current.add((double) point.step(), point.loss());
        lastStep = point.step();
        taken++;
        return true;
    }

    /** Announces a bend: the next point begins a new curve, also at an earlier step (a restart from a checkpoint). */
    public void bend() {
        bends = true;
    }

    /**
     * Counts epochs by another length from now on; those that were counted are counted again from the points of the
     * current curve that are kept.
     *
     * @param stepsPerEpoch above 0 and finite
     */
    public void countEpochsBy(double stepsPerEpoch) {
        if (stepsPerEpoch == epochs.stepsPerEpoch()) {
            return;
        }
        epochs = new EpochMeans(stepsPerEpoch);
        long previous = -1;
        for (LossPoint point : points()) {
            epochs.add(previous, point.step(), point.loss());
            previous = point.step();
        }
    }

    /** The older curve is replaced only by one that says more. */
    private void beginCurve() {
        if (current.size() >= Math.min(LossCurveFitter.FEWEST_POINTS, maxPoints) || before.size() == 0) {
            before = current;
        }
        current = new BoundedSeries(maxPoints);
        lastStep = -1;
        bends = false;
    }

    /** Points since the last bend, averaged ones at their mean step. */
    public List<LossPoint> points() {
        double[] steps = current.steps();
        double[] losses = current.losses();
        List<LossPoint> points = new ArrayList<>(steps.length);
        for (int i = 0; i < steps.length; i++) {
            points.add(new LossPoint(Math.round(steps[i]), losses[i]));
        }
        return List.copyOf(points);
    }

    /** Mean losses by epoch. */
    public EpochLosses epochs() {
        return epochs.losses();
    }

    /** Steps an epoch, above 0. */
    public double stepsPerEpoch() {
        return epochs.stepsPerEpoch();
    }

    /** How many points were taken in. */
    public long taken() {
        return taken;
    }

    /** How many points were ignored. */
    public long ignored() {
        return ignored;
    }

    /** How many losses in a row, up to the last, were no numbers that a curve can have: training has diverged. */
    public long lost() {
        return lost;
    }

    public BoundedSeries sinceBend() {
        return current;
    }

    public BoundedSeries beforeBend() {
        return before;
    }
}
