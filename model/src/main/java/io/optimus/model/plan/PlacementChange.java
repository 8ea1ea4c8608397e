package io.optimus.model.plan;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.policy.division.CompletionTime;
import io.optimus.model.speed.SpeedFunction;

/**
 * The change of one job from the placement in force to the proposed one.
 *
 * @param job the job
 * @param before the placement in force, without tasks if the job waits
 * @param after the proposed placement, without tasks if it is to wait
 */
record PlacementChange(JobSnapshot job, Placement before, Placement after) {
    /**
     * The relative error of a predicted time: the noise of measured speeds that remains after averages and fits. Predictions
     * that are closer count as equal.
     */
    static final double NOISE = 0.03;

    /** Whether the job could stay as it is: it runs before and after, and its size is still within its limits. */
    boolean isOptional() {
        return !before.equals(after) && !after.allocation().isNone() && mayStay();
    }

    /** Whether the job would stop although it could stay as it is. */
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

    /** Completion time that the change saves the job, below 0 if it costs time; the speed of the job must be known. */
    double secondsSaved() {
        return seconds(before.allocation()) - seconds(after.allocation());
    }

    double costSeconds() {
        return job.state().resizeCostSeconds();
    }

    /** The cost of the resize plus the error of predictions: savings up to this may be none. */
    double marginSeconds() {
        return costSeconds() + NOISE * seconds(before.allocation());
    }

    /**
     * The least saving that makes the change worthwhile: for growing, only the cost of the resize, because growth can be
     * undone.
     */
    double worthSeconds() {
        return isGrowth() ? costSeconds() : marginSeconds();
    }

    private double seconds(Allocation allocation) {
        SpeedFunction speed = job.speed().orElseThrow();
        double steps = job.remainingSteps()
                .orElseGet(() -> CompletionTime.NOMINAL_SECONDS * speed.stepsPerSecond(before.allocation()));
        return speed.seconds(steps, allocation);
    }
}
