package io.optimus.sim.report;

import io.optimus.sim.engine.JobOutcome;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Figures of a number of jobs; no number where one is not known, as of a bound.
 *
 * @param jobs how many
 * @param meanJct mean completion time, from submission to end, in seconds
 * @param p50 of the completion times: the smallest that half of the jobs do not exceed
 * @param p90 of the completion times
 * @param p99 of the completion times
 * @param makespan from the first submission to the last end, in seconds
 * @param resizesPerJob mean, starts not counted
 * @param longestWait the longest time in a row that a job was without tasks, in seconds
 * @param fairness mean of {@link JobOutcome#fairness()}
 * @param worstFairness the largest
 */
public record Statistics(
        int jobs,
        double meanJct,
        double p50,
        double p90,
        double p99,
        double makespan,
        double resizesPerJob,
        double longestWait,
        double fairness,
        double worstFairness) {
    /** Of one run with 1 job or more. */
    public static Statistics of(List<JobOutcome> jobs) {
        double[] sorted =
                jobs.stream().mapToDouble(JobOutcome::jctSeconds).sorted().toArray();
        double first = -largest(jobs, job -> -job.arrivalSeconds());
        return new Statistics(
                sorted.length,
                mean(jobs, JobOutcome::jctSeconds),
                percentile(sorted, .5),
                percentile(sorted, .9),
                percentile(sorted, .99),
                largest(jobs, JobOutcome::endSeconds) - first,
                mean(jobs, JobOutcome::resizes),
                largest(jobs, JobOutcome::longestWaitSeconds),
                mean(jobs, JobOutcome::fairness),
                largest(jobs, JobOutcome::fairness));
    }

    /**
     * Of what no schedule can beat.
     *
     * @param meanJct that none is below
     * @param makespan that none is below
     */
    public static Statistics bound(int jobs, double meanJct, double makespan) {
        double unknown = Double.NaN;
        return new Statistics(jobs, meanJct, unknown, unknown, unknown, makespan, unknown, unknown, unknown, unknown);
    }

    /** The means of each figure over runs; 1 run or more. */
    public static Statistics mean(List<Statistics> runs) {
        return new Statistics(
                (int) Math.round(mean(runs, Statistics::jobs)),
                mean(runs, Statistics::meanJct),
                mean(runs, Statistics::p50),
                mean(runs, Statistics::p90),
                mean(runs, Statistics::p99),
                mean(runs, Statistics::makespan),
                mean(runs, Statistics::resizesPerJob),
                mean(runs, Statistics::longestWait),
                mean(runs, Statistics::fairness),
                mean(runs, Statistics::worstFairness));
    }

    private static <T> double mean(List<T> of, ToDoubleFunction<T> value) {
        return of.stream().mapToDouble(value).average().orElseThrow();
    }

    private static double largest(List<JobOutcome> of, ToDoubleFunction<JobOutcome> value) {
        return of.stream().mapToDouble(value).max().orElseThrow();
    }

    /** The smallest of the sorted values that a part of them does not exceed (nearest rank). */
    static double percentile(double[] sorted, double part) {
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }
}
