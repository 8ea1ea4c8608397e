package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.List;

/** Chooses the nodes of the tasks that a policy decided. A pure function: the order of the jobs does not matter. */
public interface Placer {
    /** Name in configuration and reports, such as {@code optimus}. */
    String name();

    /**
     * The same rule with at most {@code jobsPerNode} jobs of several nodes on each node, because such jobs share its network.
     * The default ignores the limit, for placers that have their own rule or are compared as published.
     *
     * @param jobsPerNode 1 or more
     */
    default Placer withDistributedJobs(int jobsPerNode) {
        return this;
    }

    /**
     * Places every job of {@code jobs}: as many tasks as decided, or fewer but at least its minimum, or none. No node gets more
     * than it has available, except that a job that may not shrink keeps what it holds.
     *
     * @param decision the decision of a policy on the same cluster and jobs
     */
    PlacementDecision place(ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision);
}
