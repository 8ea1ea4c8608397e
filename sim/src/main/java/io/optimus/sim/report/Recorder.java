package io.optimus.sim.report;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.sim.engine.JobOutcome;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulationListener;
import io.optimus.sim.report.RunResult.Decisions;
import io.optimus.sim.report.RunResult.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the result of one run. Its memory grows with the jobs and their resizes, not with the rounds. */
public final class Recorder implements SimulationListener {
    private static final double NANOS_PER_MILLI = 1e6;

    private final Runnable jobEnded;
    private final List<JobOutcome> jobs = new ArrayList<>();
    private final List<Usage.Held> held = new ArrayList<>();
    private final Map<String, Usage.Held> holding = new HashMap<>();
    private final PredictionErrors.Sums errors = new PredictionErrors.Sums();
    private int rounds;
    private long decisionNanos;
    private long longestNanos;

    public Recorder(Runnable jobEnded) {
        this.jobEnded = jobEnded;
    }

    @Override
    public void planned(RoundFacts round) {
        decisionNanos += round.decisionNanos();
        longestNanos = Math.max(longestNanos, round.decisionNanos());
        round.beliefs().forEach(errors::add);
        rounds++;
    }

    @Override
    public void moved(double nowSeconds, SimulatedJob job, Placement to) {
        Usage.Held before = holding.remove(job.id());
        if (before != null) {
            held.add(new Usage.Held(job.id(), before.from(), nowSeconds, before.gpus()));
        }
        if (!to.byNode().isEmpty()) {
            long gpus = job.demand().resources(to.allocation()).amount(Resources.GPUS);
            holding.put(job.id(), new Usage.Held(job.id(), nowSeconds, nowSeconds, gpus));
        }
    }

    @Override
    public void ended(JobOutcome outcome) {
        jobs.add(outcome);
        jobEnded.run();
    }

    /**
     * Returns the result after the run.
     *
     * @param gpus GPUs of the cluster
     * @param events number of simulated events
     */
    public RunResult result(Run run, long gpus, long events) {
        jobs.sort(Comparator.<JobOutcome>comparingDouble(job -> job.times().arrivalSeconds())
                .thenComparing(JobOutcome::id));
        double mean = decisionNanos / NANOS_PER_MILLI / Math.max(1, rounds);
        return new RunResult(
                run,
                Statistics.of(jobs),
                jobs,
                new Decisions(rounds, mean, longestNanos / NANOS_PER_MILLI),
                Usage.of(held, jobs, gpus),
                errors.errors(),
                events);
    }
}
