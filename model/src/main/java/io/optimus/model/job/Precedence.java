package io.optimus.model.job;

import java.util.Comparator;

/** Orders among jobs that mean something to their owners; every one ends in submit time, then id. */
public final class Precedence {
    /** Whoever was submitted first. */
    public static final Comparator<JobSnapshot> BY_AGE =
            Comparator.comparingLong(JobSnapshot::submitMillis).thenComparing(JobSnapshot::id);

    /** Larger priority, then jobs that run already (no running job is stopped for an equal one), then age. */
    public static final Comparator<JobSnapshot> BY_RIGHT = Comparator.comparingInt(JobSnapshot::priority)
            .reversed()
            .thenComparing(job -> !job.isRunning())
            .thenComparing(BY_AGE);

    private Precedence() {}
}
