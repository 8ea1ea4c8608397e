package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.numerics.Medians;
import io.optimus.model.speed.SpeedFunction;
import java.util.Collection;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The time to the end of a job with a known speed, by its size.
 *
 * @param speed its speed function
 * @param steps predicted, or as many as take {@code assumedSeconds} on its minimum; 0 or more
 * @param assumedSeconds the time that it is assumed to need on its minimum; empty if its end is predicted
 */
public record CompletionTime(SpeedFunction speed, double steps, OptionalDouble assumedSeconds) {
    /**
     * The remaining time that is assumed if no end is predicted: here on the minimum, and only if no job's end is predicted, so
     * that only ratios matter; where a change is weighed against its cost, on the present size.
     */
    public static final double NOMINAL_SECONDS = 3600;

    /**
     * The completion time of each of {@code jobs} with a known speed. A job whose end is not predicted yet is assumed to need,
     * on its minimum, the median of the times of the others on theirs, or an hour if no end is predicted.
     */
    public static Function<JobSnapshot, CompletionTime> of(Collection<JobSnapshot> jobs) {
        double median = medianSecondsOnMinimum(jobs);
        return job -> of(job, median);
    }

    private static CompletionTime of(JobSnapshot job, double assumedSeconds) {
        SpeedFunction speed = job.speed().orElseThrow();
        if (job.remainingSteps().isPresent()) {
            return new CompletionTime(speed, job.remainingSteps().getAsDouble(), OptionalDouble.empty());
        }
        double atMinimum = speed.stepsPerSecond(job.minimum());
        // A job that stands still counts as one step from its end, however long that takes.
        double steps = atMinimum > 0 ? assumedSeconds * atMinimum : 1;
        return new CompletionTime(speed, steps, OptionalDouble.of(assumedSeconds));
    }

    private static double medianSecondsOnMinimum(Collection<JobSnapshot> jobs) {
        double[] seconds = jobs.stream()
                .filter(job -> job.speed().isPresent() && job.remainingSteps().isPresent())
                .mapToDouble(job -> of(job, NOMINAL_SECONDS).seconds(job.minimum()))
                .filter(Double::isFinite)
                .toArray();
        return Medians.upper(seconds, NOMINAL_SECONDS);
    }

    /** Seconds to its end on {@code allocation}: infinite if it does not step. */
    public double seconds(Allocation allocation) {
        return speed.seconds(steps, allocation);
    }
}
