package io.optimus.yarn.read;

import io.optimus.model.cluster.ClusterSnapshot;
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
 *     as available, what anybody else holds does not. Budgets of all views of a {@link ClusterView} can be used up at
 *     once without breaking a queue's limit; room on a node can not: whoever plans one view after the other takes what
 *     he planned off the next one's nodes ({@link ClusterSnapshot#less})
 * @param guarantee what the queue is promised on this partition
 * @param ordinaryUsed what ordinary applications and all ApplicationMasters hold in this queue
 * @param ordinaryPending what ordinary applications in this queue ask for, reserved or not, and could be given within their
 *     user's limit
 * @param heldByUser what training tasks of this view hold, by user name
 * @param userBudgets most that the training tasks of each user may take, by user name
 * @param holdings the applications, by id
 */
public record QueueView(
        String queue,
        String partition,
        ClusterSnapshot cluster,
        Resources guarantee,
        Resources ordinaryUsed,
        Resources ordinaryPending,
        SortedMap<String, Resources> heldByUser,
        SortedMap<String, Resources> userBudgets,
        List<ApplicationUsage> holdings) {
    /** Copies. */
    public QueueView {
        heldByUser = Collections.unmodifiableSortedMap(new TreeMap<>(heldByUser));
        userBudgets = Collections.unmodifiableSortedMap(new TreeMap<>(userBudgets));
        holdings = List.copyOf(holdings);
    }

    /** What training tasks of this view hold in sum. */
    public Resources trainingHeld() {
        return heldByUser.values().stream().reduce(Resources.NONE, Resources::plus);
    }
}
