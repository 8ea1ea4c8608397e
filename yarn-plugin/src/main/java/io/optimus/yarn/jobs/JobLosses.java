package io.optimus.yarn.jobs;

import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.losses.AnnouncedBends;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import io.optimus.yarn.validation.ReportValidator;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The losses that a job reported, and the fit of their curve, which is computed again only after new losses.
 *
 * <p>Not thread-safe.
 */
final class JobLosses {
    private final int points;
    private LossHistory history;
    /** The fit of {@link #history}; null after the history has changed. */
    private @Nullable FittedLosses fitted;

    private OptionalDouble last = OptionalDouble.empty();
    private long lastStep = -1;

    /**
     * Starts without losses.
     *
     * @param stepsPerEpoch above 0 and finite
     * @param points number of points that are kept of a curve
     */
    JobLosses(double stepsPerEpoch, int points) {
        // The history averages pairs, so the number is even.
        this.points = Math.max(2, points / 2 * 2);
        this.history = new LossHistory(stepsPerEpoch, this.points);
    }

    /** Sets the epochs at which the learning rate falls. */
    void announce(AnnouncedBends bends) {
        history.announce(bends);
    }

    /** Forgets the curve, because the job sends all of it again. */
    void startOver(double stepsPerEpoch) {
        history = new LossHistory(stepsPerEpoch, points);
        fitted = null;
        lastStep = -1;
    }

    /**
     * The job continues at {@code step} in another process. If it had passed that step before, it resumed from a checkpoint,
     * and a new curve begins.
     */
    void goOnAt(long step, double stepsPerEpoch) {
        countEpochsBy(stepsPerEpoch);
        if (step <= lastStep) {
            history.bend();
            lastStep = -1;
        }
    }

    void countEpochsBy(double stepsPerEpoch) {
        history.countEpochsBy(stepsPerEpoch);
        fitted = null;
    }

    void take(List<ReportValidator.ReportedLoss> reported) {
        for (ReportValidator.ReportedLoss taken : reported) {
            // Another staleness bends few curves: where training goes on, the losses themselves show a bend if there is
            // one.
            if (taken.bend() && taken.point().step() <= lastStep) {
                history.bend();
            }
            if (history.add(taken.point())) {
                lastStep = taken.point().step();
                last = OptionalDouble.of(taken.point().loss());
            }
            fitted = null;
        }
    }

    /** Sets the job's final loss, which is not a point of the curve. */
    void endWith(double loss) {
        last = OptionalDouble.of(loss);
    }

    /** The last finite loss; empty before the first. */
    OptionalDouble last() {
        return last;
    }

    /** Step of the last loss of the present curve; -1 if it has none yet. */
    long lastStep() {
        return lastStep;
    }

    /** The points that are kept of the present curve. */
    List<LossPoint> points() {
        return history.points();
    }

    /** Fits the curve, or returns the last fit if no losses came since. */
    FittedLosses fit(LossCurveFitter fitter) {
        FittedLosses known = fitted;
        FittedLosses now = known != null ? known : new FittedLosses(fitter.fit(history), history.epochs());
        fitted = now;
        return now;
    }
}
