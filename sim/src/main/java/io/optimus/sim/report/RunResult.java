package io.optimus.sim.report;

import io.optimus.sim.engine.JobOutcome;
import java.util.List;

/**
 * What came of one run.
 *
 * @param workload its name
 * @param policy its name
 * @param seed of everything that was drawn
 * @param jobs in order of arrival
 * @param decisions what planning took: the only part that another run with the same seed may have otherwise
 * @param usage GPUs over time, by job
 * @param queue jobs over time
 * @param errors of predictions, over the progress of jobs
 * @param events that were simulated
 */
public record RunResult(
        String workload,
        String policy,
        long seed,
        List<JobOutcome> jobs,
        Decisions decisions,
        Usage usage,
        List<QueueLength> queue,
        PredictionErrors errors,
        long events) {
    /** Copies. */
    public RunResult {
        jobs = List.copyOf(jobs);
        queue = List.copyOf(queue);
    }

    /**
     * Wall-clock time of planning.
     *
     * @param rounds how many
     * @param meanMillis of a round
     * @param maxMillis of the longest
     */
    public record Decisions(int rounds, double meanMillis, double maxMillis) {}

    /**
     * Jobs at a time.
     *
     * @param seconds virtual time
     * @param waiting without tasks
     * @param running with tasks
     */
    public record QueueLength(double seconds, int waiting, int running) {}
}
