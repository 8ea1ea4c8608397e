package io.optimus.model.belief;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.job.JobDemand;
import java.util.function.Predicate;

/**
 * The state of a job that decides which size it may learn from next.
 *
 * @param running the job as it runs
 * @param resizing whether it has not yet carried out the plan in force
 * @param fits whether a size has room now
 */
public record JobSituation(Running running, boolean resizing, Predicate<Allocation> fits) {
    /**
     * The situation of a job that may learn only on resources that no other job holds.
     *
     * @param free resources of its queue that no training job holds
     */
    public static JobSituation of(JobDemand demand, Running running, boolean resizing, Resources free) {
        Resources room = free.plus(demand.resources(running.held())).max(Resources.NONE);
        return new JobSituation(
                running, resizing, size -> demand.resources(size).fitsIn(room));
    }

    /**
     * The same for a job that keeps all tasks that it gets: it learns only by sizes that hold what it has, so that it can go
     * there, and at most twice as much, so that it does not get a cluster by learning.
     */
    public JobSituation keepingTasks() {
        Allocation held = running.held();
        return new JobSituation(
                running, resizing, size -> held.isWithin(size) && size.isWithin(held.times(2)) && fits.test(size));
    }

    /**
     * Whether the job may try a size. It has to run as planned first, because sizes cannot be compared while tasks start or
     * stop. A size on trial stays on trial.
     */
    boolean mayTry() {
        return !resizing || running.trying().isPresent();
    }
}
