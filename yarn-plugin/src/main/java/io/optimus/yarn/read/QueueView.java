package io.optimus.yarn.read;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A leaf queue with training applications in it, on one partition (node label).
 *
 * @param queue full path, such as {@code root.research}
 * @param partition node label that these applications ask for; empty for the default partition
 * @param cluster nodes and budget for the tasks of these applications. What the training tasks of this view hold counts
 *     as available; what others hold does not. The budgets of all views of a {@link ClusterView} can be used up at once
 *     without breaking a queue's limit. Views share the room on nodes, though: a planner subtracts what it planned for
 *     one view from the nodes of the next ({@link ClusterSnapshot#less})
 * @param ordinary what ordinary applications in this queue hold and wait for
 * @param heldByUser what training tasks of this view hold, by user name
 * @param userBudgets most that the training tasks of each user may take, by user name
 * @param guaranteed the part of the budgets that the queue's guarantee covers
 * @param usages the training applications, by id
 */
public record QueueView(
        String queue,
        String partition,
        ClusterSnapshot cluster,
        OrdinaryUsage ordinary,
        SortedMap<String, Resources> heldByUser,
        SortedMap<String, Resources> userBudgets,
        Guarantee guaranteed,
        List<ApplicationUsage> usages) {
    /**
     * The part of a queue's guarantee that is left for training. Other queues may hold these resources now; YARN takes them
     * back for the queue if they are pending in it. Other users of the queue may hold them beyond their limits; YARN gives
     * them to the user below the limit as tasks end.
     *
     * @param budget most that all training tasks may take within the guarantee
     * @param userBudgets most that the training tasks of each user may take within it, by user name
     */
    public record Guarantee(Resources budget, SortedMap<String, Resources> userBudgets) {
        /** A queue to which nothing is guaranteed. */
        public static final Guarantee NONE = new Guarantee(Resources.NONE, new TreeMap<>());

        public Guarantee {
            userBudgets = Collections.unmodifiableSortedMap(new TreeMap<>(userBudgets));
        }
    }

    /**
     * The resources that ordinary applications in a queue hold and wait for.
     *
     * @param used what ordinary applications and all ApplicationMasters hold
     * @param pending what ordinary applications request, reserved or not, within the limits of their users
     */
    public record OrdinaryUsage(Resources used, Resources pending) {}

    public QueueView {
        heldByUser = Collections.unmodifiableSortedMap(new TreeMap<>(heldByUser));
        userBudgets = Collections.unmodifiableSortedMap(new TreeMap<>(userBudgets));
        usages = List.copyOf(usages);
    }

    /** The queue as if others held nothing and it had no more than its guarantee. */
    public QueueView withinGuarantee() {
        List<NodeSnapshot> empty = cluster.nodes().stream()
                .map(node -> node.withAvailable(node.capacity()))
                .toList();
        return new QueueView(
                queue,
                partition,
                new ClusterSnapshot(empty, guaranteed.budget()),
                ordinary,
                heldByUser,
                guaranteed.userBudgets(),
                guaranteed,
                usages);
    }

    /** The resources that the training tasks of this view hold in sum. */
    public Resources trainingHeld() {
        return heldByUser.values().stream().reduce(Resources.NONE, Resources::plus);
    }
}
