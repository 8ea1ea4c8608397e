package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobHistory;

/** What a job held, waited for and paid since it arrived. Nothing here changes what it does. */
final class JobAccounting {
    private final double arrivalSeconds;

    private Allocation held = Allocation.NONE;
    private Allocation largest = Allocation.NONE;
    private double countedUntil;
    private double workerSeconds;
    private double waitsSince;
    private double longestWaitSeconds;
    private double pausedSeconds;
    private double startSeconds = Double.NaN;
    private int resizes;

    JobAccounting(double arrivalSeconds) {
        this.arrivalSeconds = arrivalSeconds;
        this.countedUntil = arrivalSeconds;
        this.waitsSince = arrivalSeconds;
    }

    /**
     * From now on it holds {@code to}.
     *
     * @param unpausedSeconds rest of a pause that ends early
     * @param pauseSeconds that it pauses now
     */
    void move(double nowSeconds, Allocation to, double unpausedSeconds, double pauseSeconds) {
        count(nowSeconds);
        if (held.isNone()) {
            longestWaitSeconds = Math.max(longestWaitSeconds, nowSeconds - waitsSince);
        }
        if (!to.isNone() && started()) {
            resizes++;
        } else if (!to.isNone()) {
            startSeconds = nowSeconds;
        }
        waitsSince = nowSeconds;
        pausedSeconds = pausedSeconds - unpausedSeconds + pauseSeconds;
        held = to;
        largest = largest.max(to);
    }

    private void count(double nowSeconds) {
        workerSeconds += (nowSeconds - countedUntil) * held.workers();
        countedUntil = nowSeconds;
    }

    /** Whether it ever held tasks. */
    boolean started() {
        return !Double.isNaN(startSeconds);
    }

    /** As policies see it. */
    JobHistory history(double nowSeconds) {
        return new JobHistory(ageSeconds(nowSeconds), workerSeconds(nowSeconds), resizes, largest);
    }

    /** Since it arrived. */
    double ageSeconds(double nowSeconds) {
        return Math.max(0, nowSeconds - arrivalSeconds);
    }

    /** That workers were held until now. */
    double workerSeconds(double nowSeconds) {
        count(nowSeconds);
        return workerSeconds;
    }

    /** When it first held tasks; NaN while it never did. */
    double startSeconds() {
        return startSeconds;
    }

    /** Longest time without tasks, of those that are over. */
    double longestWaitSeconds() {
        return longestWaitSeconds;
    }

    /** Sum of all pauses. */
    double pausedSeconds() {
        return pausedSeconds;
    }

    /** How often it got other tasks than those that it had, or any again. */
    int resizes() {
        return resizes;
    }

    /** Most servers, and most workers, that it ever held. */
    Allocation largest() {
        return largest;
    }
}
