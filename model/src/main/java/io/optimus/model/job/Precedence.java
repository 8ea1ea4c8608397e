package io.optimus.model.job;

import java.util.Comparator;

/** Orders of jobs. Each breaks ties by submit time, then by id. */
public final class Precedence {
    /** The job that was submitted first comes first. */
    public static final Comparator<JobSnapshot> BY_AGE =
            Comparator.comparingLong(JobSnapshot::submitMillis).thenComparing(JobSnapshot::id);

    /** Larger priority first, then jobs that run, so that no running job is stopped for an equal one, then age. */
    public static final Comparator<JobSnapshot> BY_RIGHT = Comparator.comparingInt(JobSnapshot::priority)
            .reversed()
            .thenComparing(job -> !job.isRunning())
            .thenComparing(BY_AGE);

    private Precedence() {}
}
