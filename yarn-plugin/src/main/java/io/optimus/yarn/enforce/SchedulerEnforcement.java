package io.optimus.yarn.enforce;

import io.optimus.yarn.read.TrainingContainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.RMAuditLogger;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enforces plans on a live scheduler: ceilings hold growth back, and shrink actions are carried out as YARN's own preemption
 * monitors do it, by events of the ResourceManager's dispatcher.
 */
public final class SchedulerEnforcement implements Enforcement {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerEnforcement.class);

    private final CapacityScheduler scheduler;
    private final GrantCeilings ceilings;

    public SchedulerEnforcement(CapacityScheduler scheduler, GrantCeilings ceilings) {
        this.scheduler = scheduler;
        this.ceilings = ceilings;
    }

    @Override
    public void publish(Map<ApplicationId, Ceiling> published) {
        // One by one: a job that registered meanwhile keeps the ceiling that it got at its registration.
        published.forEach(this::put);
    }

    private void put(ApplicationId application, Ceiling ceiling) {
        try {
            ceilings.put(application, ceiling);
        } catch (RuntimeException e) {
            LOG.warn("ceiling not applied, other jobs are not affected job={}", application, e);
        }
    }

    /** Skips containers that have ended meanwhile and those of ApplicationMasters; skips all while plans are not enforced. */
    @Override
    public List<ShrinkAction> carryOut(List<ShrinkAction> actions) {
        List<ShrinkAction> done = new ArrayList<>();
        if (!ceilings.enforces()) {
            return done;
        }
        for (ShrinkAction action : actions) {
            RMContainer container = scheduler.getRMContainer(action.container());
            if (container != null && !TrainingContainer.isMaster(container, scheduler.getRMContext())) {
                LOG.info("shrink enforced step={} container={}", action.step(), action.container());
                audit(action, container);
                switch (action.step()) {
                    case PREEMPTION_MESSAGE -> send(container, SchedulerEventType.MARK_CONTAINER_FOR_PREEMPTION);
                    case KILL -> kill(container);
                }
                done.add(action);
            }
        }
        return done;
    }

    private void audit(ShrinkAction action, RMContainer container) {
        FiCaSchedulerApp app = scheduler.getApplicationAttempt(container.getApplicationAttemptId());
        RMAuditLogger.logSuccess(
                app == null ? "" : app.getUser(),
                switch (action.step()) {
                    case PREEMPTION_MESSAGE -> "Ask Back Training Container";
                    case KILL -> "Kill Training Container";
                },
                "OptimusScheduler",
                container.getApplicationAttemptId().getApplicationId(),
                container.getContainerId(),
                container.getAllocatedResource());
    }

    private void kill(RMContainer container) {
        if (scheduler.getConfiguration().getLazyPreemptionEnabled()) {
            // The event would only mark the container until another application asks for its node.
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
