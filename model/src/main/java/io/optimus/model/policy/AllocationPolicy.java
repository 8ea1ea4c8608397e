package io.optimus.model.policy;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.List;

/**
 * Divides a cluster's resources among training jobs.
 *
 * <p>A pure function: the same snapshot gives the same decision, in any order of the jobs. Ties break by submit time, then by
 * id. A job gets at least its minimum and at most its maximum, or gets nothing and waits. All together get at most {@link
 * ClusterSnapshot#available()}, except that a job that may not shrink keeps what it holds.
 */
public interface AllocationPolicy {
    /** Name in configuration and reports, such as {@code optimus}. */
    String name();

    /** Whether jobs get other sizes than those that their owners asked for. */
    default boolean resizes() {
        return true;
    }

    /**
     * Whether jobs first explore the sizes that a fit of their speed needs. Otherwise a job starts with the speed that is
     * expected before anything is measured, learns while it grows, and tries a size only if that pays off.
     */
    default boolean exploresFirst() {
        return true;
    }

    /**
     * Whether a job gets more the more work it has left. Then no job counts with far more of it than the others, since nobody
     * but the job knows it.
     */
    default boolean favoursMoreWork() {
        return false;
    }

    /** One allocation, with its reason, for every job of {@code jobs}. */
    AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs);
}
