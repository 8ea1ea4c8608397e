package io.optimus.sim.report;

import io.optimus.sim.engine.JobOutcome;
import java.util.List;

/**
 * The result of one run.
 *
 * @param run names the run
 * @param statistics figures of its jobs
 * @param jobs its jobs in order of arrival; empty for a lower bound
 * @param decisions wall-clock times of planning: the only figures that differ between runs with the same seed
 * @param usage GPUs over time by job, and the number of waiting jobs
 * @param errors errors of predictions by the progress of jobs
 * @param events number of simulated events
 */
public record RunResult(
        Run run,
        Statistics statistics,
        List<JobOutcome> jobs,
        Decisions decisions,
        Usage usage,
        PredictionErrors errors,
        long events) {
    public RunResult {
        jobs = List.copyOf(jobs);
    }

    /**
     * Names a run.
     *
     * @param workload name of the workload
     * @param policy name of the policy
     * @param seed seed of everything that was drawn
     */
    public record Run(String workload, String policy, long seed) {}

    /**
     * Wall-clock times of planning.
     *
     * @param rounds number of rounds
     * @param meanMillis mean over the rounds
     * @param maxMillis the longest round
     */
    public record Decisions(int rounds, double meanMillis, double maxMillis) {}

    /** Returns a lower bound, which no schedule can beat, in the form of a run. */
    public static RunResult bound(Run run, Statistics statistics) {
        Decisions none = new Decisions(0, Double.NaN, Double.NaN);
        return new RunResult(
                run, statistics, List.of(), none, Usage.of(List.of(), List.of(), 0), PredictionErrors.NONE, 0);
    }

    /** Whether jobs ran: false for a lower bound. */
    boolean isRun() {
        return !jobs.isEmpty();
    }
}
