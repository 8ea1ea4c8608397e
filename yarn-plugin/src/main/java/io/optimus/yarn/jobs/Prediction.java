package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.RemainingTime;
import java.util.OptionalDouble;

/**
 * What the scheduler predicts of a running job at one moment.
 *
 * @param seconds to its end, with the resizes that are foreseen; empty without a prediction, or where that is too vague for a figure
 * @param steps to its end; empty as above
 * @param stepsPerSecond on the tasks that it has; empty if neither this run nor the last one was measured
 */
public record Prediction(OptionalDouble seconds, OptionalDouble steps, OptionalDouble stepsPerSecond) {
    /** Nothing is predicted yet. */
    public static final Prediction NONE =
            new Prediction(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());

    /** The prediction that follows from {@code estimate} for {@code job} as it runs now. */
    public static Prediction of(Estimate estimate, JobView job) {
        Allocation tasks = job.progress().members().allocation();
        double gpuSpeed = job.measured().gpuSpeed();
        double step = (double) job.progress().step();
        return new Prediction(
                estimate.remainingTime(tasks, gpuSpeed, step)
                        .map(RemainingTime::seconds)
                        .orElseGet(OptionalDouble::empty),
                estimate.remainingSteps(step).toOptional(),
                estimate.stepsPerSecond(tasks, gpuSpeed, step));
    }
}
