package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The decisions of a policy.
 *
 * @param byJob allocation and reason by job id
 */
public record AllocationDecision(SortedMap<String, Decided> byJob) {
    /**
     * One job's part.
     *
     * @param allocation tasks that the job is to have; if there are none, it waits
     * @param reason why, shown to people; no decision may depend on it
     * @param exploring whether the size was chosen to learn the speed function
     * @param guaranteed whether the share is guaranteed, even if others would gain more from it
     * @param placement the nodes of the tasks, from policies that search sizes and nodes together
     */
    public record Decided(
            Allocation allocation,
            AllocationReason reason,
            boolean exploring,
            boolean guaranteed,
            Optional<Placement> placement) {
        /** The decision of a policy that guarantees no share and leaves the nodes to a placer. */
        public Decided(Allocation allocation, AllocationReason reason, boolean exploring) {
            this(allocation, reason, exploring, false, Optional.empty());
        }
    }

    /** Copies. */
    public AllocationDecision {
        byJob = Collections.unmodifiableSortedMap(new TreeMap<>(byJob));
    }

    /** A decision with the parts {@code byJob}, by job id. */
    public static AllocationDecision of(Map<String, Decided> byJob) {
        return new AllocationDecision(new TreeMap<>(byJob));
    }

    /** The part of one job; throws if nothing was decided on it. */
    public Decided job(String id) {
        Decided decided = byJob.get(id);
        if (decided == null) {
            throw new IllegalArgumentException("Nothing was decided on " + id + ", only on " + byJob.keySet());
        }
        return decided;
    }
}
