package io.optimus.sim.report;

import io.optimus.sim.engine.JobOutcome;
import java.util.List;

/**
 * Figures of a number of jobs, in seconds but for the last.
 *
 * @param jobs how many
 * @param meanJct mean completion time, from submission to end
 * @param p50 of the completion times: the smallest that half of the jobs do not exceed
 * @param p90 of the completion times
 * @param p99 of the completion times
 * @param makespan from the first submission to the last end
 * @param resizesPerJob mean, starts not counted
 */
public record Statistics(
        int jobs, double meanJct, double p50, double p90, double p99, double makespan, double resizesPerJob) {
    /** Of one run with 1 job or more. */
    public static Statistics of(List<JobOutcome> jobs) {
        double[] sorted =
                jobs.stream().mapToDouble(JobOutcome::jctSeconds).sorted().toArray();
        double first =
                jobs.stream().mapToDouble(JobOutcome::arrivalSeconds).min().orElseThrow();
        double last = jobs.stream().mapToDouble(JobOutcome::endSeconds).max().orElseThrow();
        return new Statistics(
                sorted.length,
                jobs.stream().mapToDouble(JobOutcome::jctSeconds).average().orElseThrow(),
                percentile(sorted, .5),
                percentile(sorted, .9),
                percentile(sorted, .99),
                last - first,
                jobs.stream().mapToInt(JobOutcome::resizes).average().orElseThrow());
    }

    /** The means of each figure over runs; 1 run or more. */
    public static Statistics mean(List<Statistics> runs) {
        return new Statistics(
                (int) Math.round(
                        runs.stream().mapToInt(Statistics::jobs).average().orElseThrow()),
                runs.stream().mapToDouble(Statistics::meanJct).average().orElseThrow(),
                runs.stream().mapToDouble(Statistics::p50).average().orElseThrow(),
                runs.stream().mapToDouble(Statistics::p90).average().orElseThrow(),
                runs.stream().mapToDouble(Statistics::p99).average().orElseThrow(),
                runs.stream().mapToDouble(Statistics::makespan).average().orElseThrow(),
                runs.stream().mapToDouble(Statistics::resizesPerJob).average().orElseThrow());
    }

    /** The smallest of the sorted values that a part of them does not exceed (nearest rank). */
    static double percentile(double[] sorted, double part) {
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }
}
