package io.optimus.yarn.read;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.yarn.budget.ApplicationDemand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** Reads one application of the scheduler, holding its locks no longer than YARN's own pages do. */
final class ApplicationReader {
    private final FiCaSchedulerApp app;
    private final RMContext context;

    ApplicationReader(FiCaSchedulerApp app, RMContext context) {
        this.app = app;
        this.context = context;
    }

    FiCaSchedulerApp app() {
        return app;
    }

    String user() {
        return app.getUser();
    }

    String queue() {
        return app.getCSLeafQueue().getQueuePath();
    }

    /** The node label of its requests that name none; empty for the default partition. */
    String partition() {
        return Partition.of(app, context);
    }

    /** Resources that it holds on {@code partition}. */
    private Resources used(String partition) {
        return Amounts.of(app.getAppAttemptResourceUsage().getUsed(partition));
    }

    /** Resources that it requests on {@code partition}, including reservations until they are granted. */
    private Resources pending(String partition) {
        return Amounts.of(app.getAppAttemptResourceUsage().getPending(partition));
    }

    /**
     * What it holds and asks for, if it is an ordinary application.
     *
     * @param starts whether YARN lets it run; otherwise its requests do not count
     */
    ApplicationDemand ordinary(String partition, boolean starts) {
        return new ApplicationDemand(
                user(), priority(), used(partition), starts ? pending(partition) : Resources.NONE, Optional.empty());
    }

    /**
     * What it holds and asks for, if it is a training application. Requests for tasks follow the plan and do not count; a
     * request for an ApplicationMaster counts, also that of a later attempt.
     *
     * @param usage what it holds
     * @param nodes ids of the nodes of {@code partition}
     */
    ApplicationDemand training(ApplicationUsage usage, String partition, Set<String> nodes, boolean starts) {
        boolean demands = starts && app.isWaitingForAMContainer();
        return new ApplicationDemand(
                user(),
                priority(),
                usedByMaster(partition, nodes),
                demands ? pending(partition) : Resources.NONE,
                Optional.of(new ApplicationDemand.Training(
                        usage.needed().values().stream().reduce(Resources.NONE, Resources::plus),
                        usage.application().resources(usage.application().minimum()),
                        usage.application().maximum())));
    }

    private int priority() {
        return app.getPriority() == null ? 0 : app.getPriority().getPriority();
    }

    /** Returns what it holds, if it is a training application. */
    ApplicationUsage usage(TrainingApplication training, NodeNames nodes) {
        Map<Integer, Role> roles = new HashMap<>();
        training.roles().forEach((role, shape) -> roles.put(shape.priority(), role));
        List<TrainingContainer> containers = TrainingContainer.allOf(app, context);
        return new ApplicationUsage(
                training,
                app.getUser(),
                live(containers, training, roles),
                containers,
                app.isWaitingForAMContainer(),
                nodes.idsOf(app.getAppSchedulingInfo().getBlackListCopy()));
    }

    /**
     * Resources of its ApplicationMaster on {@code partition}; all its resources before there is one.
     *
     * @param nodes ids of the nodes of {@code partition}
     */
    private Resources usedByMaster(String partition, Set<String> nodes) {
        return app.isWaitingForAMContainer()
                ? used(partition)
                : app.getLiveContainers().stream()
                        .filter(container -> TrainingContainer.isMaster(container, context))
                        .filter(container -> nodes.contains(
                                container.getContainer().getNodeId().toString()))
                        .map(container -> Amounts.of(container.getAllocatedResource()))
                        .reduce(Resources.NONE, Resources::plus);
    }

    private static Placement live(
            List<TrainingContainer> containers, TrainingApplication training, Map<Integer, Role> roles) {
        Map<String, Allocation> byNode = new TreeMap<>();
        for (TrainingContainer container : containers) {
            Role role = roles.get(container.priority());
            if (role != null && training.isTask(role, container.resources())) {
                byNode.merge(container.node(), Allocation.NONE.plus(role, 1), Allocation::plus);
            }
        }
        return Placement.of(byNode);
    }
}
