package io.optimus.sim.report;

import io.optimus.sim.engine.JobOutcome;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Figures over several jobs; NaN if a figure is not known, as for a lower bound.
 *
 * @param jobs number of jobs
 * @param completion completion times
 * @param makespan time from the first submission to the last end, in seconds
 * @param resizesPerJob mean number of resizes, without starts
 * @param longestWait the longest uninterrupted time of any job without tasks, in seconds
 * @param fairness finish-time fairness
 */
public record Statistics(
        int jobs,
        CompletionTimes completion,
        double makespan,
        double resizesPerJob,
        double longestWait,
        Fairness fairness) {
    private static final double UNKNOWN = Double.NaN;

    /**
     * Times from submission to end, in seconds.
     *
     * @param mean the mean
     * @param p50 the smallest time that half of the jobs do not exceed
     * @param p90 the smallest time that 90 % of the jobs do not exceed
     * @param p99 the smallest time that 99 % of the jobs do not exceed
     */
    public record CompletionTimes(double mean, double p50, double p90, double p99) {}

    /**
     * Finish-time fairness, see {@link JobOutcome#fairness()}.
     *
     * @param mean mean over the jobs
     * @param worst the largest over the jobs
     */
    public record Fairness(double mean, double worst) {}

    /** Returns the figures of one run with 1 job or more. */
    public static Statistics of(List<JobOutcome> jobs) {
        double first = -largest(jobs, job -> -job.times().arrivalSeconds());
        return new Statistics(
                jobs.size(),
                completionTimes(jobs),
                largest(jobs, job -> job.times().endSeconds()) - first,
                mean(jobs, JobOutcome::resizes),
                largest(jobs, job -> job.times().longestWaitSeconds()),
                new Fairness(mean(jobs, JobOutcome::fairness), largest(jobs, JobOutcome::fairness)));
    }

    private static CompletionTimes completionTimes(List<JobOutcome> jobs) {
        double[] sorted =
                jobs.stream().mapToDouble(JobOutcome::jctSeconds).sorted().toArray();
        return new CompletionTimes(
                mean(jobs, JobOutcome::jctSeconds),
                percentile(sorted, .5),
                percentile(sorted, .9),
                percentile(sorted, .99));
    }

    /**
     * Returns lower bounds, which no schedule can beat.
     *
     * @param meanJct lower bound of the mean completion time
     * @param makespan lower bound of the makespan
     */
    public static Statistics bound(int jobs, double meanJct, double makespan) {
        return new Statistics(
                jobs,
                new CompletionTimes(meanJct, UNKNOWN, UNKNOWN, UNKNOWN),
                makespan,
                UNKNOWN,
                UNKNOWN,
                new Fairness(UNKNOWN, UNKNOWN));
    }

    /** Returns the mean of each figure over 1 run or more. */
    public static Statistics mean(List<Statistics> runs) {
        return new Statistics(
                (int) Math.round(mean(runs, Statistics::jobs)),
                new CompletionTimes(
                        mean(runs, run -> run.completion().mean()),
                        mean(runs, run -> run.completion().p50()),
                        mean(runs, run -> run.completion().p90()),
                        mean(runs, run -> run.completion().p99())),
                mean(runs, Statistics::makespan),
                mean(runs, Statistics::resizesPerJob),
                mean(runs, Statistics::longestWait),
                new Fairness(mean(runs, run -> run.fairness().mean()), mean(runs, run -> run.fairness()
                        .worst())));
    }

    private static <T> double mean(List<T> values, ToDoubleFunction<T> figure) {
        return values.stream().mapToDouble(figure).average().orElseThrow();
    }

    private static double largest(List<JobOutcome> jobs, ToDoubleFunction<JobOutcome> figure) {
        return jobs.stream().mapToDouble(figure).max().orElseThrow();
    }

    /** Returns the smallest of the sorted values that at least {@code part} of them do not exceed (nearest rank). */
    static double percentile(double[] sorted, double part) {
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }
}
