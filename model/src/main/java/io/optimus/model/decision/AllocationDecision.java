package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a policy decided.
 *
 * @param byJob allocation and reason by job id
 */
public record AllocationDecision(SortedMap<String, Decided> byJob) {
    /**
     * One job's part.
     *
     * @param allocation tasks that the job shall have; none: it waits
     * @param reason why, shown to people; nothing may be decided by it
     * @param exploring whether the size was chosen to learn the speed function
     * @param guaranteed whether the job has this share however little others gain less by it
     * @param placement where the tasks shall be, by policies that search sizes and places together
     */
    public record Decided(
            Allocation allocation,
            AllocationReason reason,
            boolean exploring,
            boolean guaranteed,
            Optional<Placement> placement) {
        /** By a policy that guarantees no share and leaves places to a placer. */
        public Decided(Allocation allocation, AllocationReason reason, boolean exploring) {
            this(allocation, reason, exploring, false, Optional.empty());
        }
    }

    /** Copies. */
    public AllocationDecision {
        byJob = Collections.unmodifiableSortedMap(new TreeMap<>(byJob));
    }

    /** Of decisions by job id. */
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
