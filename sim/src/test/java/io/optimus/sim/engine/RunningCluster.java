package io.optimus.sim.engine;

import io.optimus.model.belief.BeliefSource;
import io.optimus.model.belief.LearningMode;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.sim.knowledge.RunOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A simulation with learning that is stopped when a job has just arrived, and its state as a round would see it. */
public final class RunningCluster {
    private final Simulation simulation;

    public RunningCluster(
            Workload workload, SimulationSetup setup, NamedStrategy strategy, long seed, SimulationListener listener) {
        this.simulation = new Simulation(
                workload,
                setup,
                strategy,
                RunOptions.of(NamedStrategy.KnowledgeSource.LEARNED, strategy.batch()),
                seed,
                () -> 0,
                listener);
    }

    /** Runs until {@code job} has arrived, and is not planned yet. */
    public void runUntilArrivalOf(String job) {
        simulation.run(() -> simulation.state().active(job).isEmpty());
    }

    public void runToTheEnd() {
        simulation.run();
    }

    public double nowSeconds() {
        return simulation.nowSeconds();
    }

    /** The queue as a round sees it now. */
    public List<QueueSnapshot> queues(Set<String> ended) {
        return new WorkloadQueues()
                .now(simulation.state(), path -> LearningMode.FIXED_SIZE).stream()
                        .map(queue -> queue.with(queue.jobs().stream()
                                .filter(job -> !ended.contains(job.job().id()))
                                .toList()))
                        .toList();
    }

    /** What the scheduler believes of each active job now. */
    public Map<String, BeliefSource> beliefs() {
        Map<String, BeliefSource> beliefs = new HashMap<>();
        for (ActiveJob job : simulation.state().active()) {
            job.report(simulation.nowSeconds());
            beliefs.put(job.job().id(), job.knowledge().belief());
        }
        return beliefs;
    }

    /** The true steps of a job that has just arrived. */
    public double steps(String job) {
        return simulation.state().active(job).orElseThrow().initialSteps();
    }
}
