package io.optimus.model.losses;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The losses that a job reported, in bounded memory.
 *
 * <p>When there are more points than are kept, neighbours are averaged. Points that cannot be part of a curve are ignored and
 * counted: a loss that is not finite or beyond {@value #LARGEST_LOSS}, and a step below 0, beyond {@value #LARGEST_STEP} or not
 * after the last one. Where a bend is announced (a restart from a checkpoint) a new curve begins; the
 * points before it are kept until the new curve has enough of its own. A bend that was announced for an epoch to come begins
 * one with the first loss of only later steps. Mutable; not safe for several threads.
 */
public final class LossHistory {
    /**
     * The fewest points that a curve can be fitted to: three parameters, as many points again to test them, and two for the
     * ends of the outlier window.
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
    private Series current;
    private Series before;
    private AnnouncedBends announced = AnnouncedBends.NONE;
    private long lastStep = -1;

    /** The first step that the losses of the current curve cover. */
    private long firstStep;

    private boolean bends;
    private long taken;
    private long ignored;

    /** The number of the last losses in a row that were not finite or too large. */
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
        this.current = new Series(maxPoints);
        this.before = new Series(2);
    }

    /** Adds {@code point} and returns true, or ignores and counts it and returns false if it cannot be part of the curve. */
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
            lastStep = -1;
            firstStep = point.step();
            bends = false;
        } else if (announced.ended((double) firstStep, lastStep + 1.0, epochs.stepsPerEpoch())) {
            beginCurve();
            firstStep = lastStep + 1;
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

    /** Sets the epochs at which the curve will bend. Losses that were added before stay where they are. */
    public void announce(AnnouncedBends epochsToCome) {
        announced = epochsToCome;
    }

    /**
     * Changes the length of an epoch. The epochs so far are counted again from the kept points of the current curve.
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
        current = new Series(maxPoints);
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
    public Series sinceBend() {
        return current;
    }

    /** The curve before the last announced bend; empty if no bend was announced. */
    public Series beforeBend() {
        return before;
    }

    /**
     * The points of one loss curve in order of their steps, in bounded memory: when the series is full, neighbours are averaged
     * in pairs, and from then on twice as many points are averaged into one as they come. So every kept point stands for
     * equally many.
     */
    public static final class Series {
        private final double[] steps;
        private final double[] losses;

        private int complete;

        /** How many points are averaged into one. */
        private long stride = 1;

        /** How many points the average at index {@code complete} has so far; 0 if none has been started. */
        private long filled;

        /** A series of at most {@code maxPoints} points, an even number. */
        Series(int maxPoints) {
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
}
