package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.belief.LearningMode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.Planner;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** A round: look at the jobs, plan them as the ResourceManager does, and carry the plan out at once. */
final class PlanningRound {
    /** The one queue that all jobs are in. */
    private static final String QUEUE = "root.default";

    /** So many rounds without any task while jobs wait: the policy will never start them. */
    private static final int MOST_IDLE_ROUNDS = 10_000;

    private final SimulationState scene;
    private final FaultInjection mishaps;
    private final String name;
    private final LearningMode learning;
    private final Planner planner;
    private final LongSupplier nanoClock;
    private int idleRounds;

    PlanningRound(
            SimulationState scene, FaultInjection mishaps, NamedStrategy named, long seed, LongSupplier nanoClock) {
        Strategy strategy = named.bySeed().apply(Seeds.of(seed, "strategy"));
        this.scene = scene;
        this.mishaps = mishaps;
        this.name = named.name();
        this.learning = strategy.learning();
        this.planner = new Planner(queue -> strategy, scene.setup().gpuTypes());
        this.nanoClock = nanoClock;
    }

    void run() {
        double now = scene.nowSeconds();
        for (ActiveJob job : scene.active()) {
            job.report(now);
        }
        SimulatedSnapshots snapshots =
                new SimulatedSnapshots(learning, now, scene.setup().intervalSeconds());
        List<SimulationListener.Belief> beliefs = scene.active().stream()
                .filter(job -> job.isRunning() && !job.isPaused(now))
                .map(snapshots::beside)
                .toList();
        Resources free = scene.nodes().free();
        QueueSnapshot queue = new QueueSnapshot(
                QUEUE,
                scene.nodes().snapshot(),
                Collections.emptySortedMap(),
                scene.active().stream().map(job -> snapshots.queued(job, free)).toList());
        long began = nanoClock.getAsLong();
        Map<String, Proposal> plan = planner.plan(List.of(queue));
        long decisionNanos = nanoClock.getAsLong() - began;
        carryOut(plan);
        scene.witness().planned(new SimulationListener.RoundFacts(now, decisionNanos, beliefs));
        refuseIdling();
    }

    private void carryOut(Map<String, Proposal> plan) {
        List<ActiveJob> moving = new ArrayList<>();
        for (ActiveJob job : scene.active()) {
            Proposal proposal = plan.get(job.job().id());
            if (proposal == null) {
                throw new IllegalStateException(name + " left " + job.job().id() + " out");
            }
            job.inForce(proposal);
            job.knowledge().planned(proposal.planned().allocation(), proposal.exploring());
            if (!proposal.planned().equals(job.placement())) {
                refuseOutside(job.job(), proposal.planned().allocation());
                moving.add(job);
            }
        }
        scene.release(moving);
        for (ActiveJob job : moving) {
            scene.move(job, job.inForce().planned());
            mishaps.awaitStraggler(job);
        }
        scene.nodes().check(name);
    }

    private void refuseOutside(SimulatedJob job, Allocation size) {
        Allocation least = job.demand().minimum();
        Allocation most = job.demand().maximum();
        if (!size.isNone() && !(least.isWithin(size) && size.isWithin(most))) {
            throw new IllegalStateException(
                    name + " gives " + job.id() + " " + size + ", which runs on " + least + " to " + most);
        }
    }

    private void refuseIdling() {
        idleRounds = scene.active().stream().anyMatch(ActiveJob::isRunning) ? 0 : idleRounds + 1;
        if (idleRounds > MOST_IDLE_ROUNDS) {
            throw new IllegalStateException(name + " started none of "
                    + scene.active().size() + " waiting jobs in " + idleRounds + " rounds, until "
                    + scene.nowSeconds() + " s");
        }
    }
}
