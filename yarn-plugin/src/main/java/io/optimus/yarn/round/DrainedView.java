package io.optimus.yarn.round;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.SchedulerReason;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Proposal;
import io.optimus.yarn.operator.OperatorOrders;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The cluster without what administrators drain. Planning meets a drained node as one that cannot be used, so the tasks on
 * it move, or end where there is no room. Jobs in a drained queue end all their tasks and wait.
 */
final class DrainedView {
    private final ClusterView view;
    private final OperatorOrders.InForce orders;

    DrainedView(ClusterView view, OperatorOrders.InForce orders) {
        this.view = view;
        this.orders = orders;
    }

    /** What is left to plan with. */
    ClusterView remaining() {
        if (orders.drainedNodes().isEmpty() && orders.drainedQueues().isEmpty()) {
            return view;
        }
        SortedMap<String, Resources> free = new TreeMap<>(view.free());
        free.keySet().removeAll(orders.drainedNodes().keySet());
        return new ClusterView(
                view.queues().stream()
                        .filter(queue -> orders.drains(queue.queue()).isEmpty())
                        .map(this::withoutNodes)
                        .toList(),
                free);
    }

    /** The proposals for the jobs in drained queues. */
    Map<ApplicationId, Proposal> drained() {
        Map<ApplicationId, Proposal> waiting = new TreeMap<>();
        for (QueueView queue : view.queues()) {
            orders.drains(queue.queue()).ifPresent(order -> {
                SchedulerReason why = new SchedulerReason.QueueDrained(queue.queue());
                queue.usages()
                        .forEach(usage ->
                                waiting.put(usage.application().id(), new Proposal(Placement.NONE, why, false)));
            });
        }
        return waiting;
    }

    private QueueView withoutNodes(QueueView queue) {
        ClusterSnapshot cluster = new ClusterSnapshot(
                queue.cluster().nodes().stream()
                        .filter(node -> !orders.drainedNodes().containsKey(node.id()))
                        .toList(),
                queue.cluster().budget());
        return new QueueView(
                queue.queue(),
                queue.partition(),
                cluster,
                queue.ordinary(),
                queue.heldByUser(),
                queue.userBudgets(),
                orders.drainedNodes().isEmpty() ? queue.guaranteed() : QueueView.Guarantee.NONE,
                queue.usages());
    }
}
