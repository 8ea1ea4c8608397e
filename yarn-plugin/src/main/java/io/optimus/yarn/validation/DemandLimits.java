package io.optimus.yarn.validation;

import io.optimus.model.cluster.Resources;

/** What a task may ask for in a queue, as the cluster has it. */
public interface DemandLimits {
    /** The largest container that the scheduler grants in {@code queue}, with every resource that the cluster knows. */
    Resources largestTask(String queue);

    /** What YARN makes of an ask for {@code task} in {@code queue}: rounded up to what it grants. */
    Resources normalised(String queue, Resources task);
}
