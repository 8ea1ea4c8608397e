package io.optimus.yarn.read;

import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;

/**
 * What the containers of a scheduler are.
 *
 * @param training the training applications
 */
record ContainerKinds(CapacityScheduler scheduler, Set<ApplicationId> training) implements NodeView.Containers {
    @Override
    public boolean isTask(RMContainer container) {
        return training.contains(container.getApplicationAttemptId().getApplicationId())
                && !TrainingContainer.isMaster(container, scheduler.getRMContext());
    }

    /** A request with placement constraints counts as bound, since only YARN knows which nodes satisfy it. */
    @Override
    public boolean isBound(RMContainer reserved) {
        FiCaSchedulerApp application = scheduler.getApplicationAttempt(reserved.getApplicationAttemptId());
        return application == null
                || !(application.getAppPlacementAllocator(reserved.getReservedSchedulerKey())
                                instanceof LocalityAppPlacementAllocator<?> request
                        && request.canDelayTo(ResourceRequest.ANY));
    }
}
