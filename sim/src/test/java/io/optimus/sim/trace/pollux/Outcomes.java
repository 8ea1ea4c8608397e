package io.optimus.sim.trace.pollux;

import io.optimus.model.job.Placement;
import io.optimus.sim.engine.JobOutcome;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulationListener;
import java.util.ArrayList;
import java.util.List;

/** Keeps what became of jobs. */
final class Outcomes implements SimulationListener {
    private final List<JobOutcome> jobs = new ArrayList<>();

    /** Those that ended, in this order. */
    List<JobOutcome> jobs() {
        return List.copyOf(jobs);
    }

    @Override
    public void planned(RoundFacts round) {
        // Of no interest here.
    }

    @Override
    public void moved(double nowSeconds, SimulatedJob job, Placement to) {
        // Of no interest here.
    }

    @Override
    public void ended(JobOutcome outcome) {
        jobs.add(outcome);
    }
}
