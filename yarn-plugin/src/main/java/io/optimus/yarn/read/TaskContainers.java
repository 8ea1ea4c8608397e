package io.optimus.yarn.read;

import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** Reads the containers of an application that are tasks: all but its ApplicationMaster's. */
public final class TaskContainers {
    private TaskContainers() {}

    /** Live task containers, oldest first. */
    public static List<TrainingContainer> of(FiCaSchedulerApp app, RMContext context) {
        if (app.isWaitingForAMContainer()) {
            return List.of();
        }
        return app.getLiveContainers().stream()
                .filter(container -> !isMaster(container, context))
                .map(TaskContainers::held)
                .sorted(Comparator.comparingLong(TrainingContainer::createdMillis)
                        .thenComparing(TrainingContainer::id))
                .toList();
    }

    /** Whether {@code container} runs, or will run, an ApplicationMaster. */
    public static boolean isMaster(RMContainer container, RMContext context) {
        if (container.isAMContainer()) {
            return true;
        }
        // YARN marks the container a moment after it made it the attempt's.
        RMApp app = context.getRMApps().get(container.getApplicationAttemptId().getApplicationId());
        RMAppAttempt attempt = app == null ? null : app.getCurrentAppAttempt();
        Container master = attempt == null ? null : attempt.getMasterContainer();
        return master != null && master.getId().equals(container.getContainerId());
    }

    private static TrainingContainer held(RMContainer container) {
        return new TrainingContainer(
                container.getContainerId(),
                container.getContainer().getNodeId().toString(),
                container.getContainer().getPriority().getPriority(),
                Amounts.of(container.getAllocatedResource()),
                container.getCreationTime());
    }
}
