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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * A copy of one application of the scheduler, whose parts are read when they are asked for first and then kept. Holds YARN's
 * locks no longer than YARN's own pages do.
 *
 * <p>Not thread-safe.
 */
final class ApplicationReader {
    /** Of a resource, whatever its unit: more than a cluster has, and thousands of them do not overflow. */
    private static final long MOST_PENDING = 1L << 48;

    private final FiCaSchedulerApp app;
    private final RMContext context;
    private final AbstractLeafQueue leaf;
    private final String queue;
    private final String partition;
    private final boolean waitsForMaster;
    private final boolean runnable;
    private final int priority;
    private final int containers;
    private final Map<String, Resources> used = new HashMap<>();
    private final Map<String, Resources> pending = new HashMap<>();
    private final Map<String, Resources> ofMaster = new HashMap<>();
    private final Map<String, Resources> ofTasks = new HashMap<>();
    private Optional<ApplicationUsage> usage = Optional.empty();
    private Optional<Resources> needed = Optional.empty();

    ApplicationReader(FiCaSchedulerApp app, RMContext context) {
        this.app = app;
        this.context = context;
        this.leaf = app.getCSLeafQueue();
        this.queue = leaf.getQueuePath();
        this.partition = Partition.of(app, context);
        this.waitsForMaster = app.isWaitingForAMContainer();
        this.runnable = app.isRunnable();
        this.priority = priority(app);
        this.containers = app.getLiveContainersMap().size();
    }

    /**
     * Whether {@code now} is the same application with the same figures, as far as they were read. A container in place of
     * another of the same size does not show.
     */
    @SuppressWarnings("ReferenceEquality") // Another attempt is another object.
    boolean isCurrent(FiCaSchedulerApp now) {
        return now == app
                && app.getCSLeafQueue() == leaf
                && app.isWaitingForAMContainer() == waitsForMaster
                && app.isRunnable() == runnable
                && priority(app) == priority
                && app.getLiveContainersMap().size() == containers
                && same(used, on -> app.getAppAttemptResourceUsage().getUsed(on))
                && same(pending, on -> app.getAppAttemptResourceUsage().getPending(on));
    }

    private static boolean same(Map<String, Resources> copied, Function<String, Resource> live) {
        for (Map.Entry<String, Resources> one : copied.entrySet()) {
            if (!Amounts.equal(live.apply(one.getKey()), one.getValue())) {
                return false;
            }
        }
        return true;
    }

    ApplicationId id() {
        return app.getApplicationId();
    }

    String user() {
        return app.getUser();
    }

    String queue() {
        return queue;
    }

    /** The node label of its requests that name none; empty for the default partition. */
    String partition() {
        return partition;
    }

    /** Whether YARN lets it run. */
    boolean isRunnable() {
        return runnable;
    }

    /** Whether it avoids nodes, as far as that was read. */
    boolean avoidsNodes() {
        return usage.filter(held -> !held.avoidedNodes().isEmpty()).isPresent();
    }

    /** Ids of the nodes with its containers now. */
    Set<NodeId> nodes() {
        return app.getLiveContainers().stream()
                .map(RMContainer::getAllocatedNode)
                .collect(Collectors.toSet());
    }

    /** Resources that it holds on {@code on}. */
    private Resources used(String on) {
        return used.computeIfAbsent(
                on, label -> Amounts.of(app.getAppAttemptResourceUsage().getUsed(label)));
    }

    /**
     * Resources that it requests on {@code on}, including reservations until they are granted. Each amount is
     * bounded, because YARN bounds none, and the sum over all applications must not overflow.
     */
    private Resources pending(String on) {
        return pending.computeIfAbsent(
                on, label -> Amounts.of(app.getAppAttemptResourceUsage().getPending(label))
                        .within(0, MOST_PENDING));
    }

    /**
     * What it holds and asks for, if it is an ordinary application.
     *
     * @param starts whether YARN lets it run; otherwise its requests do not count
     */
    ApplicationDemand ordinary(String on, boolean starts) {
        return new ApplicationDemand(
                user(), priority, used(on), starts ? pending(on) : Resources.NONE, Optional.empty());
    }

    /**
     * What it holds and asks for, if it is a training application. Requests for tasks follow the plan and do not count; a
     * request for an ApplicationMaster counts, also that of a later attempt.
     *
     * @param held what it holds
     * @param nodes ids of the nodes of partition {@code on}
     */
    ApplicationDemand training(ApplicationUsage held, String on, Set<String> nodes, boolean starts) {
        if (needed.isEmpty()) {
            needed = Optional.of(held.neededInAll());
        }
        return new ApplicationDemand(
                user(),
                priority,
                waitsForMaster
                        ? used(on).minus(held(held, on, nodes))
                        : ofMaster.computeIfAbsent(on, label -> usedByMaster(nodes)),
                starts && waitsForMaster ? pending(on) : Resources.NONE,
                Optional.of(new ApplicationDemand.Training(
                        needed.get(),
                        held.application().resources(held.application().minimum()),
                        held.application().maximum())));
    }

    private static int priority(FiCaSchedulerApp app) {
        return app.getPriority() == null ? 0 : app.getPriority().getPriority();
    }

    /** Returns what it holds, if it is {@code training}. */
    ApplicationUsage usage(TrainingApplication training, NodeNames nodes) {
        Optional<ApplicationUsage> known =
                usage.filter(held -> held.application().equals(training));
        if (known.isPresent()) {
            return known.get();
        }
        ApplicationUsage read = read(training, nodes);
        usage = Optional.of(read);
        needed = Optional.empty();
        return read;
    }

    private ApplicationUsage read(TrainingApplication training, NodeNames nodes) {
        Map<Integer, Role> roles = new HashMap<>();
        training.roles().forEach((role, shape) -> roles.put(shape.priority(), role));
        List<TrainingContainer> tasks = TrainingContainer.allOf(app, context);
        return new ApplicationUsage(
                training,
                app.getUser(),
                live(tasks, training, roles),
                tasks,
                waitsForMaster,
                nodes.idsOf(app.getAppSchedulingInfo().getBlackListCopy()));
    }

    /**
     * Resources of its tasks on partition {@code on}.
     *
     * @param held what it holds
     * @param nodes ids of the nodes of that partition
     */
    Resources held(ApplicationUsage held, String on, Set<String> nodes) {
        return ofTasks.computeIfAbsent(on, label -> held.on(nodes));
    }

    /** Resources of its ApplicationMaster on {@code nodes}. */
    private Resources usedByMaster(Set<String> nodes) {
        return app.getLiveContainers().stream()
                .filter(container -> TrainingContainer.isMaster(container, context))
                .filter(container ->
                        nodes.contains(container.getContainer().getNodeId().toString()))
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
