package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.validation.DemandLimits;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** The container sizes that the queues of a CapacityScheduler allow. */
public final class ContainerLimits implements DemandLimits {
    private final CapacityScheduler scheduler;

    public ContainerLimits(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Resources largestTask(String queue) {
        return Amounts.of(maximum(queue));
    }

    @Override
    public Resources normalised(String queue, Resources task) {
        return Amounts.of(scheduler.getNormalizedResource(Amounts.toYarn(task), maximum(queue)));
    }

    /**
     * The configured maximum. YARN also grants nothing larger than its largest registered node; after a restart or a failover,
     * the nodes on which the job's tasks run may not have registered yet.
     */
    private Resource maximum(String queue) {
        CSQueue known = scheduler.getQueue(queue);
        return known == null ? scheduler.getMaximumResourceCapability(queue) : known.getMaximumAllocation();
    }
}
