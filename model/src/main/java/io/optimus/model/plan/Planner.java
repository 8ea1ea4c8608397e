package io.optimus.model.plan;

import io.optimus.model.belief.LearningMode;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.Placement;
import io.optimus.model.placement.PlacementDecision.Placed;
import io.optimus.model.plan.Strategy.Resizes;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Allocate, place, diff: from queues with jobs to what every job shall have. Pure: one queue after the other, in the order
 * given, each on the room that those before it leave.
 */
public final class Planner {
    private final Function<String, Strategy> strategyOfQueue;
    private final GpuTypes gpuTypes;

    /**
     * Plans with these.
     *
     * @param strategyOfQueue how the jobs of each leaf queue are scheduled, by its path
     * @param gpuTypes how fast the types of GPUs are that nodes and jobs name
     */
    public Planner(Function<String, Strategy> strategyOfQueue, GpuTypes gpuTypes) {
        this.strategyOfQueue = strategyOfQueue;
        this.gpuTypes = gpuTypes;
    }

    /** How the jobs of this queue learn. */
    public LearningMode learning(String queue) {
        return strategyOfQueue.apply(queue).learning();
    }

    /** One proposal, by job id, for every job of every queue. */
    public SortedMap<String, Proposal> plan(List<QueueSnapshot> queues) {
        SortedMap<String, Proposal> plan = new TreeMap<>();
        Map<String, Resources> taken = new HashMap<>();
        for (Iterator<QueueSnapshot> left = queues.iterator(); left.hasNext(); ) {
            QueueSnapshot queue = left.next();
            Map<String, Proposal> proposals =
                    proposals(queue.within(queue.cluster().less(taken)));
            if (left.hasNext()) {
                takeGrowth(taken, queue, proposals);
            }
            plan.putAll(proposals);
        }
        return Collections.unmodifiableSortedMap(plan);
    }

    /** A job that would change its type of GPU for too little keeps it, and all are planned again. */
    private Map<String, Proposal> proposals(QueueSnapshot queue) {
        Strategy strategy = strategyOfQueue.apply(queue.queue());
        GpuTypedQueue typed =
                GpuTypedQueue.of(queue, gpuTypes, strategy.policy().resizes());
        Map<String, Proposal> proposals = proposals(typed, strategy);
        Set<String> vain = typed.changingInVain(proposals);
        return vain.isEmpty() ? proposals : proposals(typed.without(vain), strategy);
    }

    private static Map<String, Proposal> proposals(GpuTypedQueue typed, Strategy strategy) {
        QueueSnapshot queue = typed.queue();
        AllocationDecision decision = new UserLimits(strategy.policy(), queue.userOfJob(), queue.userLimits())
                .allocate(queue.cluster(), queue.snapshots());
        Map<String, Placed> placements = new AvoidedNodes(strategy.placer(), queue, decision).place();
        Map<String, Proposal> proposals = new HashMap<>();
        placements.forEach((id, placed) -> proposals.put(id, Proposal.of(decision.job(id), placed)));
        Map<String, Proposal> worth = carriedOut(strategy.resizes(), typed, proposals);
        queue.jobs()
                .forEach(job ->
                        worth.computeIfPresent(job.id(), (id, proposal) -> job.goingOn(typed.explained(id, proposal))));
        return worth;
    }

    /** Without the resizes that are not carried out; what a change of its GPUs is worth to a job was decided before. */
    private static Map<String, Proposal> carriedOut(
            Resizes resizes, GpuTypedQueue typed, Map<String, Proposal> proposals) {
        QueueSnapshot queue = typed.queue();
        Map<String, Placement> old = new HashMap<>();
        queue.jobs().stream().filter(job -> !typed.changes(job.id())).forEach(job -> old.put(job.id(), job.old()));
        PlannedUse use = new PlannedUse(queue.cluster(), queue.userOfJob(), queue.userLimits());
        return switch (resizes) {
            case AS_DECIDED -> proposals;
            case NOT_IN_VAIN -> ResizeFilter.dropInVain(use, queue.snapshots(), old, proposals);
            case REPAYING -> ResizeFilter.keepOldWhere(use, queue.snapshots(), old, proposals);
        };
    }

    /** What this queue's jobs shall have on a node beyond what they hold there is not there for the next queue. */
    private static void takeGrowth(Map<String, Resources> taken, QueueSnapshot queue, Map<String, Proposal> proposals) {
        NodeUse growth = new NodeUse();
        for (QueuedJob job : queue.jobs()) {
            Proposal proposal = proposals.get(job.id());
            if (proposal != null) {
                growth.add(job.job(), proposal.planned());
                growth.remove(job.job(), job.job().current());
            }
        }
        for (NodeSnapshot node : queue.cluster().nodes()) {
            taken.merge(node.id(), growth.on(node.id()).max(Resources.NONE), Resources::plus);
        }
    }
}
