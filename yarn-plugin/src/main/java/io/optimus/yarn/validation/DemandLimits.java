package io.optimus.yarn.validation;

import io.optimus.model.cluster.Resources;

/** Limits on what a task may ask for in a queue. */
public interface DemandLimits {
    /** The largest container that {@code queue} allows, with every resource that the cluster knows. */
    Resources largestTask(String queue);

    /** The size that YARN grants for a request of {@code task} in {@code queue}: rounded up. */
    Resources normalised(String queue, Resources task);
}
