package io.optimus.model.plan;

import io.optimus.model.InterruptedComputationException;
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
import java.util.function.Supplier;

/**
 * Plans the jobs of all queues: allocates, places, and drops resizes that do not pay off. It has no side effects. The queues
 * are planned in the given order, each on the room that the earlier ones leave.
 */
public final class Planner {
    private final Function<String, Strategy> strategyOfQueue;
    private final GpuTypes gpuTypes;
    private final Steps steps;

    /** Runs the steps of planning; a caller may measure them. */
    public interface Steps {
        /** Runs them, and nothing else. */
        Steps UNMEASURED = new Steps() {
            @Override
            public <T> T allocate(Supplier<T> step) {
                return step.get();
            }

            @Override
            public <T> T place(Supplier<T> step) {
                return step.get();
            }
        };

        /** Runs the step that decides on the sizes of the jobs of a queue, and returns its result. */
        <T> T allocate(Supplier<T> step);

        /** Runs the step that places the tasks of a queue on nodes, and returns its result. */
        <T> T place(Supplier<T> step);
    }

    /**
     * A planner for a cluster.
     *
     * @param strategyOfQueue the strategy of each leaf queue, by its path
     * @param gpuTypes how fast each type of GPU is
     */
    public Planner(Function<String, Strategy> strategyOfQueue, GpuTypes gpuTypes) {
        this(strategyOfQueue, gpuTypes, Steps.UNMEASURED);
    }

    /** The same with steps that are measured. */
    public Planner(Function<String, Strategy> strategyOfQueue, GpuTypes gpuTypes, Steps steps) {
        this.strategyOfQueue = strategyOfQueue;
        this.gpuTypes = gpuTypes;
        this.steps = steps;
    }

    /** How the jobs of this queue learn. */
    public LearningMode learning(String queue) {
        return strategyOfQueue.apply(queue).learning();
    }

    /** Returns one proposal for every job of every queue, by job id. */
    public SortedMap<String, Proposal> plan(List<QueueSnapshot> queues) {
        SortedMap<String, Proposal> plan = new TreeMap<>();
        Map<String, Resources> taken = new HashMap<>();
        for (Iterator<QueueSnapshot> left = queues.iterator(); left.hasNext(); ) {
            InterruptedComputationException.check();
            QueueSnapshot queue = left.next();
            QueueSnapshot within = queue.within(queue.cluster().less(taken));
            Map<String, Proposal> proposals = QueueLimits.explained(within, proposals(within));
            if (left.hasNext()) {
                takeGrowth(taken, queue, proposals);
            }
            plan.putAll(proposals);
        }
        return Collections.unmodifiableSortedMap(plan);
    }

    /** Jobs that would gain too little from another GPU type keep theirs, and then all are planned again. */
    private Map<String, Proposal> proposals(QueueSnapshot queue) {
        Strategy strategy = strategyOfQueue.apply(queue.queue());
        GpuTypedQueue typed =
                GpuTypedQueue.of(queue, gpuTypes, strategy.policy().resizes());
        Map<String, Proposal> proposals = proposals(typed, strategy);
        Set<String> vain = typed.changingInVain(proposals);
        return vain.isEmpty() ? proposals : proposals(typed.without(vain), strategy);
    }

    private Map<String, Proposal> proposals(GpuTypedQueue typed, Strategy strategy) {
        QueueSnapshot queue =
                strategy.policy().favoursMoreWork() ? typed.queue().withPlausibleEnds() : typed.queue();
        RunningJobs running = new RunningJobs(strategy.policy(), queue);
        AllocationDecision decision = steps.allocate(running::allocate);
        Map<String, Placed> placements = steps.place(() -> running.place(strategy.placer(), decision, typed::changes));
        Map<String, Proposal> proposals = new HashMap<>();
        placements.forEach((id, placed) -> proposals.put(id, Proposal.of(decision.job(id), placed)));
        Map<String, Proposal> worth = withoutDropped(strategy.resizes(), typed, queue, proposals);
        queue.jobs()
                .forEach(job -> worth.computeIfPresent(
                        job.id(), (id, proposal) -> job.orInForce(typed.explained(id, proposal))));
        return worth;
    }

    /** Drops the resizes that are not carried out. Changes of the GPU type stay, because they were weighed before. */
    private static Map<String, Proposal> withoutDropped(
            Resizes resizes, GpuTypedQueue typed, QueueSnapshot queue, Map<String, Proposal> proposals) {
        Map<String, Placement> old = new HashMap<>();
        queue.jobs().stream().filter(job -> !typed.changes(job.id())).forEach(job -> old.put(job.id(), job.old()));
        PlannedUse use = new PlannedUse(queue.cluster(), queue.userOfJob(), queue.userLimits());
        return switch (resizes) {
            case AS_DECIDED -> proposals;
            case NOT_IN_VAIN -> ResizeFilter.withoutShrinksInVain(use, queue.snapshots(), old, proposals);
            case REPAYING -> ResizeFilter.withoutUnrepaid(use, queue.snapshots(), old, proposals);
        };
    }

    /** Subtracts the growth of this queue's jobs on each node from the room of the next queues. */
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
