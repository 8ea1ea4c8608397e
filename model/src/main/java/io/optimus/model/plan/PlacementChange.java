package io.optimus.model.plan;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.speed.SpeedFunction;

/**
 * One job's way from the placement in force to the proposed one.
 *
 * @param job the job
 * @param before in force, no task where the job waits
 * @param after proposed, no task where it shall wait
 */
record PlacementChange(JobSnapshot job, Placement before, Placement after) {
    /**
     * Predictions closer than this are the same: what is left of the noise of measured speeds after they were averaged
     * and fitted.
     */
    static final double NOISE = 0.03;

    /** Stands for the remaining time where the end is not predicted: as the allocation policy does. */
    static final double NOMINAL_SECONDS = 3600;

    /** Whether it is for the job to stay as it was: it may be so small and so large, and does not begin or end. */
    boolean isOptional() {
        return !before.equals(after) && !after.allocation().isNone() && mayStay();
    }

    /** Whether a job that could stay as it was would wait. */
    boolean isStop() {
        return after.allocation().isNone() && mayStay();
    }

    private boolean mayStay() {
        Allocation from = before.allocation();
        return !from.isNone() && from.isWithin(job.maximum()) && job.minimum().isWithin(from);
    }

    boolean isMove() {
        return before.allocation().equals(after.allocation());
    }

    boolean isShrink() {
        return !isMove() && after.allocation().isWithin(before.allocation());
    }

    boolean isGrowth() {
        return !isMove() && before.allocation().isWithin(after.allocation());
    }

    boolean isPredicted() {
        return job.speed().isPresent();
    }

    /** Completion time that it saves the job, below 0 where it costs time; of a job with a known speed. */
    double secondsSaved() {
        return seconds(before.allocation()) - seconds(after.allocation());
    }

    /** What it costs the job. */
    double costSeconds() {
        return job.state().resizeCostSeconds();
    }

    /** Savings up to here may be no savings at all. */
    double marginSeconds() {
        return costSeconds() + NOISE * seconds(before.allocation());
    }

    /** What is to be saved before it is worth it: growing into free room may be undone, so that its cost is enough. */
    double worthSeconds() {
        return isGrowth() ? costSeconds() : marginSeconds();
    }

    private double seconds(Allocation allocation) {
        SpeedFunction speed = job.speed().orElseThrow();
        double steps =
                job.remainingSteps().orElseGet(() -> NOMINAL_SECONDS * speed.stepsPerSecond(before.allocation()));
        return speed.seconds(steps, allocation);
    }
}
