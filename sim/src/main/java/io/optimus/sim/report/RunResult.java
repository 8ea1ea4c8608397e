package io.optimus.sim.report;

import io.optimus.sim.engine.JobOutcome;
import java.util.List;

/**
 * What came of one run.
 *
 * @param workload its name
 * @param policy its name
 * @param seed of everything that was drawn
 * @param statistics of its jobs
 * @param jobs in order of arrival; none of a bound
 * @param decisions what planning took: the only part that another run with the same seed may have otherwise
 * @param usage GPUs over time, by job, and how many jobs wait
 * @param errors of predictions, over the progress of jobs
 * @param events that were simulated
 */
public record RunResult(
        String workload,
        String policy,
        long seed,
        Statistics statistics,
        List<JobOutcome> jobs,
        Decisions decisions,
        Usage usage,
        PredictionErrors errors,
        long events) {
    /** Copies. */
    public RunResult {
        jobs = List.copyOf(jobs);
    }

    /** Of what no schedule can beat: no run. */
    public static RunResult bound(String workload, String name, long seed, Statistics statistics) {
        Decisions none = new Decisions(0, Double.NaN, Double.NaN);
        return new RunResult(
                workload,
                name,
                seed,
                statistics,
                List.of(),
                none,
                Usage.of(List.of(), List.of(), 0),
                PredictionErrors.NONE,
                0);
    }

    /** Whether jobs ran. */
    boolean isRun() {
        return !jobs.isEmpty();
    }

    /**
     * Wall-clock time of planning.
     *
     * @param rounds how many
     * @param meanMillis of a round
     * @param maxMillis of the longest
     */
    public record Decisions(int rounds, double meanMillis, double maxMillis) {}
}
