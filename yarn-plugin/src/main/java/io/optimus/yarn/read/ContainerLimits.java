package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.validation.DemandLimits;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** The container sizes that a CapacityScheduler grants. */
public final class ContainerLimits implements DemandLimits {
    private final CapacityScheduler scheduler;

    public ContainerLimits(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Resources largestTask(String queue) {
        return Amounts.of(scheduler.getMaximumResourceCapability(queue));
    }

    @Override
    public Resources normalised(String queue, Resources task) {
        return Amounts.of(
                scheduler.getNormalizedResource(Amounts.toYarn(task), scheduler.getMaximumResourceCapability(queue)));
    }
}
