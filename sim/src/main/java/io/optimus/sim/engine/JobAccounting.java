package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobHistory;

/** The tasks, the waits and the pauses of a job since its arrival. */
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
     * Goes on with a job that was there before the simulation began.
     *
     * @param before what it had until now
     * @param holds the tasks that it holds now
     */
    void resume(double nowSeconds, JobHistory before, Allocation holds) {
        workerSeconds = before.workerSeconds();
        resizes = before.resizes();
        largest = before.largest().max(holds);
        countedUntil = nowSeconds;
        waitsSince = nowSeconds;
        held = holds;
        if (!largest.isNone()) {
            startSeconds = nowSeconds;
        }
    }

    /**
     * Counts a change of the job's tasks.
     *
     * @param to the tasks that it holds from now on
     * @param unpausedSeconds the rest of a pause that ends early
     * @param pauseSeconds the pause that begins now
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

    boolean started() {
        return !Double.isNaN(startSeconds);
    }

    JobHistory history(double nowSeconds) {
        return new JobHistory(ageSeconds(nowSeconds), workerSeconds(nowSeconds), resizes, largest);
    }

    double ageSeconds(double nowSeconds) {
        return Math.max(0, nowSeconds - arrivalSeconds);
    }

    /** The number of workers held until now, summed over time. */
    double workerSeconds(double nowSeconds) {
        count(nowSeconds);
        return workerSeconds;
    }

    /** The time at which it first held tasks; NaN before. */
    double startSeconds() {
        return startSeconds;
    }

    /** The longest of its finished waits without tasks. */
    double longestWaitSeconds() {
        return longestWaitSeconds;
    }

    double pausedSeconds() {
        return pausedSeconds;
    }

    /** The number of times that it got other tasks, or tasks again, after its first start. */
    int resizes() {
        return resizes;
    }

    /** The most servers and the most workers that it has held at a time. */
    Allocation largest() {
        return largest;
    }
}
