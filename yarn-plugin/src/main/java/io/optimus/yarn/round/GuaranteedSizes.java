package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.plan.Planner;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.QueuedJob;
import io.optimus.yarn.read.QueueView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Computes the sizes of jobs within the guarantees of their queues. Where others hold room that is guaranteed to a queue,
 * its jobs are planned once more as if that room were free. Otherwise a job's size is the planned one.
 */
final class GuaranteedSizes {
    private final Planner planner;
    private final Function<QueueView, QueueSnapshot> snapshots;

    /**
     * Plans with {@code planner}.
     *
     * @param planner its strategies must be used for nothing else, because some have memory
     * @param snapshots makes the snapshot of a queue: what jobs may try depends on the room that there is
     */
    GuaranteedSizes(Planner planner, Function<QueueView, QueueSnapshot> snapshots) {
        this.planner = planner;
        this.snapshots = snapshots;
    }

    /**
     * Returns a proposal for each job, by id, of which only the size counts.
     *
     * @param views the queues
     * @param queues the same queues as they were planned
     * @param plan the plan on the room that training may use now, by job id
     */
    Map<String, Proposal> of(List<QueueView> views, List<QueueSnapshot> queues, Map<String, Proposal> plan) {
        Map<String, Proposal> sizes = new HashMap<>(plan);
        Map<String, Resources> growth = growthByNode(queues, plan);
        for (int i = 0; i < queues.size(); i++) {
            QueueView.Guarantee guaranteed = views.get(i).guaranteed();
            QueueSnapshot queue = queues.get(i);
            if (lacksRoom(guaranteed, queue, plan, growth)) {
                sizes.putAll(planner.plan(List.of(snapshots.apply(views.get(i).withinGuarantee()))));
            }
        }
        return sizes;
    }

    /** Whether a job could use more of the guarantee, and the nodes have too little room for what is left of it. */
    private static boolean lacksRoom(
            QueueView.Guarantee guaranteed,
            QueueSnapshot queue,
            Map<String, Proposal> plan,
            Map<String, Resources> growth) {
        Resources left = guaranteed.budget();
        Resources held = Resources.NONE;
        for (QueuedJob queued : queue.jobs()) {
            JobDemand demand = queued.job().demand();
            left = left.minus(demand.resources(planned(queued, plan)));
            held = held.plus(demand.resources(queued.job().current().allocation()));
        }
        Resources room = Resources.NONE;
        for (NodeSnapshot node : queue.cluster().nodes()) {
            Resources taken = growth.getOrDefault(node.id(), Resources.NONE);
            room = room.plus(node.available().minus(taken).max(Resources.NONE));
        }
        Resources unused = left.max(Resources.NONE);
        boolean wanted = queue.jobs().stream().anyMatch(queued -> couldGrow(queued, planned(queued, plan), unused));
        return wanted && !unused.fitsIn(room.minus(held));
    }

    private static boolean couldGrow(QueuedJob queued, Allocation planned, Resources unused) {
        JobDemand demand = queued.job().demand();
        for (Role role : Role.values()) {
            if (planned.count(role) < demand.of(role).max()
                    && demand.of(role).task().fitsIn(unused)) {
                return true;
            }
        }
        return false;
    }

    private static Allocation planned(QueuedJob queued, Map<String, Proposal> plan) {
        Proposal proposal = plan.get(queued.job().id());
        return proposal == null ? Allocation.NONE : proposal.planned().allocation();
    }

    /** What all jobs grow by on each node. */
    private static Map<String, Resources> growthByNode(List<QueueSnapshot> queues, Map<String, Proposal> plan) {
        Map<String, Resources> growth = new HashMap<>();
        for (QueueSnapshot queue : queues) {
            for (QueuedJob queued : queue.jobs()) {
                Proposal proposal = plan.get(queued.job().id());
                if (proposal != null) {
                    proposal.planned().byNode().forEach((node, tasks) -> {
                        Allocation more = tasks.beyond(queued.job().current().on(node));
                        growth.merge(node, queued.job().demand().resources(more), Resources::plus);
                    });
                }
            }
        }
        return growth;
    }
}
