package io.optimus.sim.trace.pollux;

import io.optimus.model.job.Placement;
import io.optimus.sim.engine.JobOutcome;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulationListener;
import java.util.ArrayList;
import java.util.List;

/** Keeps the outcomes of jobs. */
final class Outcomes implements SimulationListener {
    private final List<JobOutcome> jobs = new ArrayList<>();

    /** The outcomes in the order in which the jobs ended. */
    List<JobOutcome> jobs() {
        return List.copyOf(jobs);
    }

    @Override
    public void planned(RoundFacts round) {
        // These tests read outcomes only.
    }

    @Override
    public void moved(double nowSeconds, SimulatedJob job, Placement to) {
        // These tests read outcomes only.
    }

    @Override
    public void ended(JobOutcome outcome) {
        jobs.add(outcome);
    }
}
