package io.optimus.yarn.enforce;

import io.optimus.yarn.read.TaskContainers;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries shrink actions out, as YARN's own preemption monitors do: by events of the ResourceManager's dispatcher. */
public final class ShrinkEvents {
    private static final Logger LOG = LoggerFactory.getLogger(ShrinkEvents.class);

    private final CapacityScheduler scheduler;

    /** For containers of this scheduler. */
    public ShrinkEvents(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Sends one event an action; a container that has ended meanwhile, or is an ApplicationMaster's, is skipped. */
    public void carryOut(List<ShrinkAction> actions) {
        for (ShrinkAction action : actions) {
            RMContainer container = scheduler.getRMContainer(action.container());
            if (container != null && !TaskContainers.isMaster(container, scheduler.getRMContext())) {
                LOG.info(
                        "shrink enforced action={} container={}",
                        action.getClass().getSimpleName(),
                        action.container());
                if (action instanceof ShrinkAction.AskBack) {
                    send(container, SchedulerEventType.MARK_CONTAINER_FOR_PREEMPTION);
                } else {
                    takeBack(container);
                }
            }
        }
    }

    private void takeBack(RMContainer container) {
        if (scheduler.getConfiguration().getLazyPreemptionEnabled()) {
            // The event would only mark it, until somebody asks for its place.
            scheduler.completedContainer(
                    container,
                    SchedulerUtils.createPreemptedContainerStatus(
                            container.getContainerId(), SchedulerUtils.PREEMPTED_CONTAINER),
                    RMContainerEventType.KILL);
        } else {
            send(container, SchedulerEventType.MARK_CONTAINER_FOR_KILLABLE);
        }
    }

    private void send(RMContainer container, SchedulerEventType type) {
        scheduler
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new ContainerPreemptEvent(container.getApplicationAttemptId(), container, type));
    }
}
