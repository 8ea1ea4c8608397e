package io.optimus.model.plan;

import io.optimus.model.job.JobSnapshot;

/**
 * A running job's change to other GPUs.
 *
 * @param job the job
 * @param stepsPerSecondBefore where it is
 * @param stepsPerSecondAfter on the others
 */
record GpuTypeChange(JobSnapshot job, double stepsPerSecondBefore, double stepsPerSecondAfter) {
    /** Whether it saves more than the resize and the noise of predictions. */
    boolean repays() {
        return secondsSaved() > job.state().resizeCostSeconds() + PlacementChange.NOISE * seconds(stepsPerSecondBefore);
    }

    double secondsSaved() {
        return seconds(stepsPerSecondBefore) - seconds(stepsPerSecondAfter);
    }

    private double seconds(double stepsPerSecond) {
        double steps = job.remainingSteps().orElse(PlacementChange.NOMINAL_SECONDS * stepsPerSecondBefore);
        return stepsPerSecond > 0 ? steps / stepsPerSecond : Double.MAX_VALUE;
    }
}
