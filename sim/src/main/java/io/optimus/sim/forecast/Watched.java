package io.optimus.sim.forecast;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.sim.engine.JobOutcome;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulationListener;
import io.optimus.sim.forecast.JobForecast.SizeAt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** What happens to the jobs of a forecast, and how many rounds have passed since something happened. */
final class Watched implements SimulationListener {
    private final Map<String, List<SizeAt>> sizes = new HashMap<>();
    private final Map<String, Integer> changes = new HashMap<>();
    private final Map<String, Double> ends = new HashMap<>();
    private final Map<String, Allocation> held = new HashMap<>();
    private int rounds;
    private int quietRounds;

    /** Notes what a job holds at the beginning. */
    void begins(String job, Allocation holds) {
        held.put(job, holds);
        sizes.put(
                job,
                new ArrayList<>(holds.isNone() ? List.of() : List.of(new SizeAt(Double.NEGATIVE_INFINITY, holds))));
    }

    @Override
    public void planned(RoundFacts round) {
        rounds++;
        quietRounds++;
    }

    @Override
    public void moved(double nowSeconds, SimulatedJob job, Placement to) {
        quietRounds = 0;
        Allocation size = to.allocation();
        List<SizeAt> all = sizes.computeIfAbsent(job.id(), id -> new ArrayList<>());
        if (!size.isNone()) {
            changes.merge(job.id(), 1, Integer::sum);
        }
        if (!size.equals(held.put(job.id(), size)) && all.size() < JobForecast.MOST_SIZES) {
            all.add(new SizeAt(nowSeconds, size));
        }
    }

    @Override
    public void ended(JobOutcome outcome) {
        ends.put(outcome.id(), outcome.times().endSeconds());
    }

    int rounds() {
        return rounds;
    }

    /** The rounds that have passed since the tasks of a job changed. */
    int quietRounds() {
        return quietRounds;
    }

    boolean holdsTasks(String job) {
        return !held.getOrDefault(job, Allocation.NONE).isNone();
    }

    boolean hasEnded(String job) {
        return ends.containsKey(job);
    }

    OptionalDouble end(String job) {
        Double end = ends.get(job);
        return end == null ? OptionalDouble.empty() : OptionalDouble.of(end);
    }

    List<SizeAt> sizes(String job) {
        return sizes.getOrDefault(job, List.of());
    }

    /** The number of times that {@code job} got other tasks, its start included. */
    int changes(String job) {
        return changes.getOrDefault(job, 0);
    }
}
