package io.optimus.model.losses;

import java.util.ArrayList;
import java.util.List;

/**
 * The losses that a job reported, in bounded memory.
 *
 * <p>When there are more points than are kept, neighbours are averaged. Points that cannot be part of a curve are ignored and
 * counted: a loss that is not finite or beyond {@value #LARGEST_LOSS}, and a step below 0, beyond {@value #LARGEST_STEP} or not
 * after the last one. Where a bend is announced (a learning-rate drop, a restart, another staleness) a new curve begins; the
 * points before it are kept until the new curve has enough of its own. Mutable; not safe for several threads.
 */
public final class LossHistory {
    /**
     * The fewest points that a curve can be fitted to: three parameters, as many points again to see whether they hold, and
     * two for the ends of the outlier window.
     */
    public static final int FEWEST_POINTS = 8;

    /** As many points as a fit can use; the protocol's history carries as many. */
    private static final int DEFAULT_POINTS = 512;

    /** No training recovers from a larger loss, and the squares of smaller ones stay finite. */
    private static final double LARGEST_LOSS = 1e100;

    /** 2^53: a double cannot tell larger steps from the next one, so that a curve might end where it begins. */
    private static final long LARGEST_STEP = 1L << 53;

    private final int maxPoints;
    private EpochLosses.Collector epochs;
    private LossSeries current;
    private LossSeries before;
    private long lastStep = -1;
    private boolean bends;
    private long taken;
    private long ignored;

    /** How many of the last losses in a row were not finite or too large. */
    private long lost;

    /**
     * A history that keeps {@value #DEFAULT_POINTS} points of each curve.
     *
     * @param stepsPerEpoch above 0 and finite
     */
    public LossHistory(double stepsPerEpoch) {
        this(stepsPerEpoch, DEFAULT_POINTS);
    }

    /**
     * A history that keeps {@code maxPoints} points of each curve.
     *
     * @param stepsPerEpoch above 0 and finite
     * @param maxPoints an even number, 2 or more
     */
    public LossHistory(double stepsPerEpoch, int maxPoints) {
        if (maxPoints < 2 || maxPoints % 2 != 0) {
            throw new IllegalArgumentException("A history keeps an even number of points, 2 or more, got " + maxPoints);
        }
        this.maxPoints = maxPoints;
        this.epochs = new EpochLosses.Collector(stepsPerEpoch);
        this.current = new LossSeries(maxPoints);
        this.before = new LossSeries(2);
    }

    /** Adds {@code point} and returns true, or ignores and counts it where it cannot be part of the curve. */
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
     * Changes the length of an epoch. The epochs so far are counted again from the points of the current curve that are kept.
     *
     * @param stepsPerEpoch above 0 and finite
     */
    public void countEpochsBy(double stepsPerEpoch) {
        if (stepsPerEpoch == epochs.stepsPerEpoch()) {
            return;
        }
        epochs = new EpochLosses.Collector(stepsPerEpoch);
        long previous = -1;
        for (LossPoint point : points()) {
            epochs.add(previous, point.step(), point.loss());
            previous = point.step();
        }
    }

    /** Keeps the curve so far as the older one, unless it has too few points to replace that. */
    private void beginCurve() {
        if (current.size() >= Math.min(FEWEST_POINTS, maxPoints) || before.size() == 0) {
            before = current;
        }
        current = new LossSeries(maxPoints);
        lastStep = -1;
        bends = false;
    }

    /** The points since the last announced bend; an averaged one is at its mean step. */
    public List<LossPoint> points() {
        double[] steps = current.steps();
        double[] losses = current.losses();
        List<LossPoint> points = new ArrayList<>(steps.length);
        for (int i = 0; i < steps.length; i++) {
            points.add(new LossPoint(Math.round(steps[i]), losses[i]));
        }
        return List.copyOf(points);
    }

    public EpochLosses epochs() {
        return epochs.losses();
    }

    /** The steps of an epoch, above 0. */
    public double stepsPerEpoch() {
        return epochs.stepsPerEpoch();
    }

    /** The number of points that were added. */
    public long taken() {
        return taken;
    }

    public long ignored() {
        return ignored;
    }

    /** The number of the last losses in a row that were not finite or too large: training has diverged. */
    public long lost() {
        return lost;
    }

    /** The curve since the last announced bend. */
    public LossSeries sinceBend() {
        return current;
    }

    /** The curve before the last announced bend; empty where no bend was announced. */
    public LossSeries beforeBend() {
        return before;
    }
}
