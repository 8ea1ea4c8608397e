package io.optimus.sim.engine;

import io.optimus.model.job.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Records what happens. */
public final class RecordingListener implements SimulationListener {
    final Map<String, JobOutcome> outcomes = new TreeMap<>();
    final List<String> lines = new ArrayList<>();
    final List<RoundFacts> rounds = new ArrayList<>();

    /** The result of a job that has ended. */
    JobOutcome outcome(String id) {
        return Optional.ofNullable(outcomes.get(id)).orElseThrow();
    }

    /** When the job first held tasks. */
    public double startSeconds(String id) {
        return outcome(id).times().startSeconds();
    }

    public double endSeconds(String id) {
        return outcome(id).times().endSeconds();
    }

    @Override
    public void planned(RoundFacts round) {
        rounds.add(round);
    }

    @Override
    public void moved(double nowSeconds, SimulatedJob job, Placement to) {
        lines.add(String.format(Locale.ROOT, "%s %s %s", nowSeconds, job.id(), to.byNode()));
    }

    @Override
    public void ended(JobOutcome outcome) {
        outcomes.put(outcome.id(), outcome);
    }
}
