package io.optimus.sim.engine;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A change of the cluster that does not depend on how jobs are scheduled. Jobs lose their tasks on a node that leaves, as on
 * one that fails. Where others take room, jobs keep their tasks until the next round.
 *
 * @param seconds virtual time
 * @param nodes nodes that come, or whose room or capacity changes
 * @param gone ids of nodes that leave
 * @param queues new limits by path of the queue; a queue without an entry keeps its limits
 */
public record ClusterChange(
        double seconds, List<NodeSnapshot> nodes, SortedSet<String> gone, SortedMap<String, QueueLimits> queues) {
    public ClusterChange {
        nodes = List.copyOf(nodes);
        gone = Collections.unmodifiableSortedSet(new TreeSet<>(gone));
        queues = Collections.unmodifiableSortedMap(new TreeMap<>(queues));
    }

    /**
     * The limits of a leaf queue.
     *
     * @param budget most that the tasks of its jobs may take in sum
     * @param userBudgets most that the tasks of a user may take; users without an entry are not limited
     * @param jobsPerUser jobs of one user that count beside those of other users; 0 for all
     * @param othersWait whether applications other than training wait in the queue
     */
    public record QueueLimits(
            Resources budget, SortedMap<String, Resources> userBudgets, int jobsPerUser, boolean othersWait) {
        public QueueLimits {
            userBudgets = Collections.unmodifiableSortedMap(new TreeMap<>(userBudgets));
        }

        /** The limits on the nodes of both. A user without a limit in one of them has none. */
        public QueueLimits plus(QueueLimits other) {
            SortedMap<String, Resources> users = new TreeMap<>();
            userBudgets.forEach((user, budget) -> {
                Resources more = other.userBudgets.get(user);
                if (more != null) {
                    users.put(user, budget.plus(more));
                }
            });
            boolean allJobs = jobsPerUser == 0 || other.jobsPerUser == 0;
            return new QueueLimits(
                    budget.plus(other.budget),
                    users,
                    allJobs ? 0 : Math.max(jobsPerUser, other.jobsPerUser),
                    othersWait || other.othersWait);
        }
    }
}
