package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.List;

/** Puts the tasks that a policy decided on onto nodes. A pure function; the order of the jobs does not matter. */
public interface Placer {
    /** Name in configuration and reports, such as {@code optimus}. */
    String name();

    /**
     * The same rule with at most so many jobs of several nodes on each node, for they share its network. By default the placer
     * itself: it has a limit of its own, or is to be measured as published.
     *
     * @param jobsPerNode 1 or more
     */
    default Placer withDistributedJobs(int jobsPerNode) {
        return this;
    }

    /**
     * Places every job of {@code jobs}: as many tasks as decided, or fewer but at least its minimum, or none. No node
     * gets more than what it has available, except that a job that may not shrink keeps what it holds.
     *
     * @param decision of a policy, on the same cluster and jobs
     */
    PlacementDecision place(ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision);
}
