package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * A live container of a training application, except the container of its ApplicationMaster.
 *
 * @param id id of the container
 * @param node id of its node, {@code host:port}
 * @param priority YARN priority of its request, which stands for the role
 * @param resources its size
 * @param createdMillis when the ResourceManager created it
 */
public record TrainingContainer(ContainerId id, String node, int priority, Resources resources, long createdMillis) {
    /**
     * All live containers of {@code app} except its ApplicationMaster's, oldest first. Those of an earlier attempt go on while
     * the attempt waits for its ApplicationMaster.
     */
    public static List<TrainingContainer> allOf(FiCaSchedulerApp app, RMContext context) {
        boolean waitsForMaster = app.isWaitingForAMContainer();
        return app.getLiveContainers().stream()
                .filter(container -> !isMaster(container, context))
                .filter(container ->
                        !waitsForMaster || !container.getApplicationAttemptId().equals(app.getApplicationAttemptId()))
                .map(TrainingContainer::of)
                .sorted(Comparator.comparingLong(TrainingContainer::createdMillis)
                        .thenComparing(TrainingContainer::id))
                .toList();
    }

    /** Whether {@code container} runs, or will run, an ApplicationMaster. */
    public static boolean isMaster(RMContainer container, RMContext context) {
        if (container.isAMContainer()) {
            return true;
        }
        // YARN marks the container a moment after it has assigned it to the attempt.
        RMApp app = context.getRMApps().get(container.getApplicationAttemptId().getApplicationId());
        RMAppAttempt attempt = app == null ? null : app.getCurrentAppAttempt();
        Container master = attempt == null ? null : attempt.getMasterContainer();
        return master != null && master.getId().equals(container.getContainerId());
    }

    private static TrainingContainer of(RMContainer container) {
        return new TrainingContainer(
                container.getContainerId(),
                container.getContainer().getNodeId().toString(),
                container.getContainer().getPriority().getPriority(),
                Amounts.of(container.getAllocatedResource()),
                container.getCreationTime());
    }
}
