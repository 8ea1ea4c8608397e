package io.optimus.yarn.jobs;

import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.losses.LossHistory;
import io.optimus.yarn.validation.ReportValidator;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The losses that a job reported, and what came of fitting them: that is computed again only where they are new.
 *
 * <p>Not safe for several threads.
 */
final class JobLosses {
    private final int points;
    private LossHistory history;
    /** What came of fitting {@link #history}; null since it changed. */
    private @Nullable FittedLosses fitted;

    private OptionalDouble last = OptionalDouble.empty();
    private long lastStep = -1;

    /**
     * Nothing yet.
     *
     * @param stepsPerEpoch above 0 and finite
     * @param points how many are kept of a curve
     */
    JobLosses(double stepsPerEpoch, int points) {
        // The history averages pairs: an even number.
        this.points = Math.max(2, points / 2 * 2);
        this.history = new LossHistory(stepsPerEpoch, this.points);
    }

    /** Forgets the curve: all of it comes anew. */
    void startOver(double stepsPerEpoch) {
        history = new LossHistory(stepsPerEpoch, points);
        fitted = null;
        lastStep = -1;
    }

    /**
     * The job goes on at {@code step} in another process. If it has been there before, it resumed from a checkpoint, and
     * what it has from now on is a curve of its own.
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
            if (taken.bend()) {
                history.bend();
            }
            if (history.add(taken.point())) {
                lastStep = taken.point().step();
                last = OptionalDouble.of(taken.point().loss());
            }
            fitted = null;
        }
    }

    /** The loss that the job ended with; no point of the curve. */
    void endWith(double loss) {
        last = OptionalDouble.of(loss);
    }

    /** The last finite one; empty before the first. */
    OptionalDouble last() {
        return last;
    }

    /** Step of the last one of the present curve; -1 where it has none yet. */
    long lastStep() {
        return lastStep;
    }

    /** Fits the curve as it is now; where it is as it was, the fit is. */
    FittedLosses fit(LossCurveFitter fitter) {
        FittedLosses known = fitted;
        FittedLosses now = known != null ? known : new FittedLosses(fitter.fit(history), history.epochs());
        fitted = now;
        return now;
    }
}
