package io.optimus.yarn.explain;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.SchedulingTerms;

/**
 * What the owner of a job asked for.
 *
 * @param demand the fewest and most tasks of each role, and the resources of one task
 * @param terms priority, types of GPUs, and whether it may shrink
 * @param mayShrink whether the scheduler may shrink the job now
 */
public record Asked(JobDemand demand, SchedulingTerms terms, boolean mayShrink) {
    /** Resources of its minimum. */
    public Resources minimum() {
        return demand.resources(demand.minimum());
    }
}
