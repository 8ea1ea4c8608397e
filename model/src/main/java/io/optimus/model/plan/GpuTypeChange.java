package io.optimus.model.plan;

import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.division.CompletionTime;

/**
 * A running job's change to GPUs of another type.
 *
 * @param job the job
 * @param stepsPerSecondBefore its speed on its present type
 * @param stepsPerSecondAfter its speed on the other type
 */
record GpuTypeChange(JobSnapshot job, double stepsPerSecondBefore, double stepsPerSecondAfter) {
    /** Whether it saves more than the cost of the resize and the error of predictions. */
    boolean repays() {
        return secondsSaved() > job.state().resizeCostSeconds() + PlacementChange.NOISE * seconds(stepsPerSecondBefore);
    }

    double secondsSaved() {
        return seconds(stepsPerSecondBefore) - seconds(stepsPerSecondAfter);
    }

    private double seconds(double stepsPerSecond) {
        double steps = job.remainingSteps().orElse(CompletionTime.NOMINAL_SECONDS * stepsPerSecondBefore);
        return stepsPerSecond > 0 ? steps / stepsPerSecond : Double.MAX_VALUE;
    }
}
