package io.optimus.yarn.jobs;

import io.optimus.model.cluster.Resources;

/** What a task may ask for, as the cluster has it. */
public interface DemandLimits {
    /** The largest container that the scheduler grants, with every resource that the cluster knows. */
    Resources largestTask();

    /** What YARN makes of an ask for {@code task}: rounded up to what it grants. */
    Resources normalised(Resources task);
}
