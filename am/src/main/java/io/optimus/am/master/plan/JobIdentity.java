package io.optimus.am.master.plan;

import io.optimus.am.job.JobSpec;
import io.optimus.model.Allocation;
import java.util.function.LongSupplier;

/**
 * What does not change while an ApplicationMaster runs.
 *
 * @param applicationId YARN's application id
 * @param attempt number of this attempt, from 1
 * @param user the user who submitted the job
 * @param spec the job as submitted
 * @param submittedMillis when the job was submitted, Unix time
 * @param clock Unix time in milliseconds
 */
public record JobIdentity(
        String applicationId, int attempt, String user, JobSpec spec, long submittedMillis, LongSupplier clock) {
    /** The fewest tasks that the job runs with. */
    public Allocation minimum() {
        return new Allocation(spec.parameterServer().min(), spec.worker().min());
    }

    /** The most tasks that the job uses. */
    public Allocation maximum() {
        return new Allocation(spec.parameterServer().max(), spec.worker().max());
    }
}
