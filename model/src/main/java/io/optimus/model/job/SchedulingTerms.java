package io.optimus.model.job;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the owner of a job asks of the scheduler. The job file declares it, the ApplicationMaster registers it, and policies
 * read it from a {@link JobSnapshot}.
 *
 * @param priority larger first, if a policy honours priorities
 * @param preemptible whether policies may shrink the job
 * @param minRunSeconds how long the job runs before policies may shrink it, 0 or more
 * @param gpuTypes types of GPUs that its workers may use; none: any type
 */
public record SchedulingTerms(int priority, boolean preemptible, long minRunSeconds, SortedSet<String> gpuTypes) {
    /** The terms of a job whose owner asks for nothing special. */
    public static final SchedulingTerms DEFAULT = new SchedulingTerms(0, true, 0, new TreeSet<>());

    public SchedulingTerms {
        gpuTypes = Collections.unmodifiableSortedSet(new TreeSet<>(gpuTypes));
    }

    /** The same with another priority. */
    public SchedulingTerms withPriority(int other) {
        return new SchedulingTerms(other, preemptible, minRunSeconds, gpuTypes);
    }

    /**
     * The same within limits.
     *
     * @param unpreemptible whether the job may be protected from shrinking altogether
     * @param mostMinRunSeconds the longest time that it may be protected for, 0 or more
     */
    public SchedulingTerms within(boolean unpreemptible, long mostMinRunSeconds) {
        return new SchedulingTerms(
                priority, preemptible || !unpreemptible, Math.min(minRunSeconds, mostMinRunSeconds), gpuTypes);
    }
}
