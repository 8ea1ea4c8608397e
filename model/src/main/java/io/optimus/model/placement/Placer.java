package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.policy.AllocationDecision;
import io.optimus.model.policy.JobSnapshot;
import java.util.List;
import java.util.SortedMap;

/**
 * Puts the tasks that a policy decided on onto nodes.
 *
 * <p>A pure function: the same snapshot gives the same placements, whatever the order of the jobs. No node gets more
 * than is available on it. A job gets what was decided, or fewer tasks where the nodes have no room for all, but not
 * less than its minimum: then it gets none.
 */
@FunctionalInterface
public interface Placer {
    /** A placement for every job of the decision, by job id. */
    SortedMap<String, Placement> place(ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision);
}
