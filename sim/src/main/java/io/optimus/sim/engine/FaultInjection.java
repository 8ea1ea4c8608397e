package io.optimus.sim.engine;

import io.optimus.model.decision.SchedulerReason;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Proposal;
import io.optimus.sim.engine.EventQueue.Kind;
import java.util.List;
import java.util.Random;

/**
 * Makes nodes fail and return, and makes workers straggle until they are replaced.
 *
 * <p>When a node fails, its jobs pause as for a resize and go on with their tasks on other nodes, if these are enough
 * to run. No steps are lost. A straggler slows down its whole job.
 */
final class FaultInjection {
    private final SimulationState state;
    private final Faults faults;
    private final Random failures;
    private final Random stragglers;

    FaultInjection(SimulationState state, long seed) {
        this.state = state;
        this.faults = state.setup().faults();
        this.failures = Seeds.random(seed, "nodes");
        this.stragglers = Seeds.random(seed, "stragglers");
    }

    void start() {
        state.setup().nodes().forEach(node -> scheduleFailure(node.id()));
    }

    private void scheduleFailure(String node) {
        schedule(failures, faults.nodeFailureSeconds(), Kind.NODE_FAILS, node, 0);
    }

    void nodeFails(String node) {
        state.events().add(state.nowSeconds() + faults.nodeDownSeconds(), Kind.NODE_RETURNS, node, 0);
        loseNode(node);
        planAnew();
    }

    /** Takes {@code node} away, with the tasks on it. */
    void loseNode(String node) {
        state.nodes().fails(node);
        List<ActiveJob> hit = state.active().stream()
                .filter(job -> !job.placement().on(node).isNone())
                .toList();
        hit.forEach(job -> job.advance(state.nowSeconds()));
        state.release(hit);
        for (ActiveJob job : hit) {
            SchedulerReason lost =
                    new SchedulerReason.NodeLost(node, job.placement().on(node));
            state.move(job, without(node, job));
            job.inForce(new Proposal(job.placement(), lost, false));
            scheduleStraggler(job);
        }
    }

    /** Returns the placement of {@code job} without {@code node}, or none if the rest is less than its minimum. */
    private static Placement without(String node, ActiveJob job) {
        Placement rest = job.placement().within(other -> !other.equals(node));
        return job.job().demand().minimum().isWithin(rest.allocation()) ? rest : Placement.NONE;
    }

    void nodeReturns(String node) {
        state.nodes().returns(node);
        scheduleFailure(node);
        planAnew();
    }

    void planAnew() {
        if (!state.active().isEmpty()) {
            state.scheduleRoundNow();
        }
    }

    /** Draws the time at which one of its present workers becomes a straggler: sooner for more workers. */
    void scheduleStraggler(ActiveJob job) {
        int workers = job.placement().allocation().workers();
        if (workers > 0) {
            schedule(
                    stragglers,
                    faults.straggleSeconds() / workers,
                    Kind.STRAGGLES,
                    job.job().id(),
                    job.moves());
        }
    }

    void straggles(EventQueue.Event event) {
        slow(event, faults.straggleSpeed(), faults.straggleUntilSeconds());
    }

    void stragglerReplaced(EventQueue.Event event) {
        slow(event, 1, Double.POSITIVE_INFINITY);
    }

    private void slow(EventQueue.Event event, double speed, double replacedAfterSeconds) {
        state.active(event.subject())
                .filter(job -> job.moves() == event.version())
                .ifPresent(job -> {
                    job.slow(state.nowSeconds(), speed);
                    state.scheduleChange(job);
                    if (speed < 1) {
                        state.events()
                                .add(
                                        state.nowSeconds() + replacedAfterSeconds,
                                        Kind.STRAGGLER_REPLACED,
                                        event.subject(),
                                        event.version());
                    } else {
                        scheduleStraggler(job);
                    }
                });
    }

    private void schedule(Random random, double meanSeconds, Kind kind, String subject, long version) {
        if (meanSeconds < Double.POSITIVE_INFINITY) {
            double seconds = -meanSeconds * Math.log(1 - random.nextDouble());
            state.events().add(state.nowSeconds() + seconds, kind, subject, version);
        }
    }
}
