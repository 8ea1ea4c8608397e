package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.plan.Planner;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueueSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** One round: takes in what the jobs report, plans them as the ResourceManager does, and carries the plan out at once. */
final class PlanningRound {
    /** If jobs wait and no task runs for this many rounds, the policy is assumed never to start them. */
    private static final int MOST_IDLE_ROUNDS = 10_000;

    private final SimulationState state;
    private final FaultInjection injection;
    private final String name;
    private final Planner planner;
    private final PlannedQueues queues;
    private final LongSupplier nanoClock;
    private int idleRounds;

    /**
     * The rounds of a simulation.
     *
     * @param name the name of the policies, for errors
     */
    PlanningRound(
            SimulationState state,
            FaultInjection injection,
            String name,
            Planner planner,
            PlannedQueues queues,
            LongSupplier nanoClock) {
        this.state = state;
        this.injection = injection;
        this.name = name;
        this.planner = planner;
        this.queues = queues;
        this.nanoClock = nanoClock;
    }

    void run() {
        double now = state.nowSeconds();
        for (ActiveJob job : state.active()) {
            job.report(now);
        }
        List<SimulationListener.BeliefError> beliefs = state.active().stream()
                .filter(job -> job.isRunning() && !job.isPaused(now))
                .map(job -> SimulatedSnapshots.of(
                                state, planner.learning(job.job().submission().queue()))
                        .beside(job))
                .toList();
        List<QueueSnapshot> snapshots = queues.now(state, planner::learning);
        long began = nanoClock.getAsLong();
        Map<String, Proposal> plan = planner.plan(snapshots);
        long decisionNanos = nanoClock.getAsLong() - began;
        carryOut(plan);
        state.listener().planned(new SimulationListener.RoundFacts(now, decisionNanos, beliefs));
        requireProgress();
    }

    private void carryOut(Map<String, Proposal> plan) {
        List<ActiveJob> moving = new ArrayList<>();
        for (ActiveJob job : state.active()) {
            Proposal proposal = plan.get(job.job().id());
            if (proposal == null) {
                throw new IllegalStateException(name + " left " + job.job().id() + " out");
            }
            job.inForce(proposal);
            job.knowledge().planned(proposal.planned().allocation(), proposal.exploring());
            if (!proposal.planned().equals(job.placement())) {
                requireWithinLimits(job.job(), proposal.planned().allocation());
                moving.add(job);
            }
        }
        state.release(moving);
        for (ActiveJob job : moving) {
            state.move(job, job.inForce().planned());
            injection.scheduleStraggler(job);
        }
        state.nodes().check(name);
    }

    private void requireWithinLimits(SimulatedJob job, Allocation size) {
        Allocation least = job.demand().minimum();
        Allocation most = job.demand().maximum();
        if (!size.isNone() && !(least.isWithin(size) && size.isWithin(most))) {
            throw new IllegalStateException(
                    name + " gives " + job.id() + " " + size + ", which runs on " + least + " to " + most);
        }
    }

    private void requireProgress() {
        idleRounds = state.active().stream().anyMatch(ActiveJob::isRunning) ? 0 : idleRounds + 1;
        if (idleRounds > MOST_IDLE_ROUNDS) {
            throw new IllegalStateException(name + " started none of "
                    + state.active().size() + " waiting jobs in " + idleRounds + " rounds, until "
                    + state.nowSeconds() + " s");
        }
    }
}
