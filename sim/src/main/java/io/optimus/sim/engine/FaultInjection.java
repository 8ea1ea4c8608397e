package io.optimus.sim.engine;

import io.optimus.model.job.Placement;
import io.optimus.model.plan.Proposal;
import io.optimus.sim.engine.EventQueue.Kind;
import java.util.List;
import java.util.Random;

/**
 * Nodes fail and return, tasks straggle and are replaced.
 *
 * <p>A job keeps its tasks on other nodes, if they are enough to run, after the pause of a resize; it loses no step that it
 * has done. A straggler slows its whole job down.
 */
final class FaultInjection {
    private final SimulationState scene;
    private final Faults faults;
    private final Random failures;
    private final Random stragglers;

    FaultInjection(SimulationState scene, long seed) {
        this.scene = scene;
        this.faults = scene.setup().faults();
        this.failures = Seeds.random(seed, "nodes");
        this.stragglers = Seeds.random(seed, "stragglers");
    }

    void begin() {
        scene.setup().nodes().forEach(node -> awaitFailure(node.id()));
    }

    private void awaitFailure(String node) {
        await(failures, faults.nodeFailureSeconds(), Kind.NODE_FAILS, node, 0);
    }

    void nodeFails(String node) {
        scene.nodes().fails(node);
        scene.agenda().put(scene.nowSeconds() + faults.nodeDownSeconds(), Kind.NODE_RETURNS, node, 0);
        List<ActiveJob> hit = scene.active().stream()
                .filter(job -> !job.placement().on(node).isNone())
                .toList();
        hit.forEach(job -> job.advance(scene.nowSeconds()));
        scene.release(hit);
        for (ActiveJob job : hit) {
            scene.move(job, without(node, job));
            job.inForce(new Proposal(job.placement(), node + " failed", false));
            awaitStraggler(job);
        }
        planAnew();
    }

    /** What is left of it, if that can run. */
    private static Placement without(String node, ActiveJob job) {
        Placement rest = job.placement().within(other -> !other.equals(node));
        return job.job().demand().minimum().isWithin(rest.allocation()) ? rest : Placement.NONE;
    }

    void nodeReturns(String node) {
        scene.nodes().returns(node);
        awaitFailure(node);
        planAnew();
    }

    private void planAnew() {
        if (!scene.active().isEmpty()) {
            scene.awaitRoundNow();
        }
    }

    /** The more workers, the sooner; of its present tasks only. */
    void awaitStraggler(ActiveJob job) {
        int workers = job.placement().allocation().workers();
        if (workers > 0) {
            await(
                    stragglers,
                    faults.straggleSeconds() / workers,
                    Kind.STRAGGLES,
                    job.job().id(),
                    job.moves());
        }
    }

    void straggles(EventQueue.Entry entry) {
        of(entry, faults.straggleSpeed(), faults.straggleUntilSeconds());
    }

    void stragglerReplaced(EventQueue.Entry entry) {
        of(entry, 1, Double.POSITIVE_INFINITY);
    }

    private void of(EventQueue.Entry entry, double speed, double replacedAfterSeconds) {
        scene.active(entry.subject())
                .filter(job -> job.moves() == entry.version())
                .ifPresent(job -> {
                    job.slow(scene.nowSeconds(), speed);
                    scene.awaitChange(job);
                    if (speed < 1) {
                        scene.agenda()
                                .put(
                                        scene.nowSeconds() + replacedAfterSeconds,
                                        Kind.STRAGGLER_REPLACED,
                                        entry.subject(),
                                        entry.version());
                    } else {
                        awaitStraggler(job);
                    }
                });
    }

    private void await(Random random, double meanSeconds, Kind kind, String subject, long version) {
        if (meanSeconds < Double.POSITIVE_INFINITY) {
            double seconds = -meanSeconds * Math.log(1 - random.nextDouble());
            scene.agenda().put(scene.nowSeconds() + seconds, kind, subject, version);
        }
    }
}
