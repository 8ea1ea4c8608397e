package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import io.optimus.yarn.read.TrainingApplication;
import io.optimus.yarn.read.TrainingContainer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** One queue over nodes with 8 GPUs each, where a test sets the containers that applications hold. */
final class FakeCluster {
    private static final Resources NODE = Resources.of(65536, 32, 8);

    private final List<String> nodes;
    private final Map<ApplicationId, Placement> live = new ConcurrentHashMap<>();
    private final Map<ApplicationId, List<String>> avoided = new ConcurrentHashMap<>();
    private final Map<String, Resources> occupied = new ConcurrentHashMap<>();
    private final Map<ApplicationId, String> users = new ConcurrentHashMap<>();
    private volatile QueueView.Guarantee guarantee = QueueView.Guarantee.NONE;

    private final Map<String, Resources> userBudgets = new ConcurrentHashMap<>();
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    private volatile Optional<Resources> queueLimit = Optional.empty();
    private volatile Optional<ClusterView> unchanged = Optional.empty();

    FakeCluster(String... nodes) {
        this.nodes = List.of(nodes);
    }

    /** Lets {@code application} blacklist {@code nodes}. */
    void avoid(int application, String... nodes) {
        avoided.put(Jobs.attempt(application, 1).getApplicationId(), List.of(nodes));
    }

    /** Makes {@code user} the owner of {@code application}; all others are alice's. */
    void own(int application, String user) {
        users.put(Jobs.attempt(application, 1).getApplicationId(), user);
    }

    /** Guarantees {@code resources} to the queue, all of which its one user may take. */
    void guarantee(Resources resources) {
        guarantee = new QueueView.Guarantee(resources, new TreeMap<>(Map.of("alice", resources)));
    }

    /** Lets the training jobs of the queue take no more than so many GPUs. */
    void limitQueue(int gpus) {
        queueLimit = Optional.of(Resources.of(1 << 20, 1000, gpus));
    }

    /** Lets the jobs of {@code user} take no more than so many GPUs. */
    void limitUser(String user, int gpus) {
        userBudgets.put(user, Resources.of(1 << 20, 1000, gpus));
    }

    /** Lets no more tasks start on {@code node}; those that are there run on. */
    void decommission(String node) {
        lost.add(node);
    }

    /** Loses {@code node}, with all tasks on it. */
    void lose(String node) {
        lost.add(node);
        live.replaceAll((job, placement) -> placement.within(other -> !other.equals(node)));
    }

    /** Lets ordinary applications hold {@code gpus} GPUs on {@code node}. */
    void occupy(String node, int gpus) {
        occupied.put(node, Resources.of(0, 0, gpus));
    }

    private Resources room(String node) {
        return NODE.minus(occupied.getOrDefault(node, Resources.NONE));
    }

    void hold(int application, Placement placement) {
        live.put(Jobs.attempt(application, 1).getApplicationId(), placement);
    }

    /** Returns the cluster as {@code applications} see it. */
    ClusterView read(Collection<TrainingApplication> applications) {
        if (unchanged.isPresent()) {
            return unchanged.get();
        }
        List<ApplicationUsage> usages = applications.stream()
                .sorted(Comparator.comparing(TrainingApplication::id))
                .map(this::usage)
                .toList();
        List<String> usable =
                nodes.stream().filter(node -> !lost.contains(node)).toList();
        ClusterSnapshot cluster = new ClusterSnapshot(
                usable.stream()
                        .map(node -> new NodeSnapshot(node, NODE, room(node)))
                        .toList(),
                queueLimit.orElse(NODE.times(usable.size())));
        Resources held = usages.stream()
                .flatMap(usage -> usage.containers().stream())
                .map(TrainingContainer::resources)
                .reduce(Resources.NONE, Resources::plus);
        SortedMap<String, Resources> free = new TreeMap<>();
        usable.forEach(node -> free.put(node, room(node)));
        usages.stream()
                .flatMap(usage -> usage.containers().stream())
                .forEach(task -> free.computeIfPresent(task.node(), (node, left) -> left.minus(task.resources())));
        QueueView queue = new QueueView(
                "root.default",
                "",
                cluster,
                new QueueView.OrdinaryUsage(Resources.NONE, Resources.NONE),
                new TreeMap<>(Map.of("alice", held)),
                new TreeMap<>(userBudgets),
                guarantee,
                usages);
        return new ClusterView(List.of(queue), free);
    }

    /** Lets nothing change: from now on the same view is read for all applications. */
    void freeze(Collection<TrainingApplication> applications) {
        unchanged = Optional.of(read(applications));
    }

    /** Lets the cluster change again. */
    void thaw() {
        unchanged = Optional.empty();
    }

    private ApplicationUsage usage(TrainingApplication application) {
        Placement placement = live.getOrDefault(application.id(), Placement.NONE);
        List<TrainingContainer> containers = new ArrayList<>();
        placement.byNode().forEach((node, tasks) -> addContainers(application, node, tasks, containers));
        return new ApplicationUsage(
                application,
                users.getOrDefault(application.id(), "alice"),
                placement,
                containers,
                false,
                new TreeSet<>(avoided.getOrDefault(application.id(), List.of())));
    }

    private static void addContainers(
            TrainingApplication application, String node, Allocation tasks, List<TrainingContainer> containers) {
        application.roles().forEach((Role role, TrainingApplication.RoleShape shape) -> {
            for (int i = 0; i < tasks.count(role); i++) {
                containers.add(new TrainingContainer(
                        ContainerId.newContainerId(Jobs.attempt(application.id().getId(), 1), containers.size() + 2),
                        node,
                        shape.priority(),
                        shape.task(),
                        0));
            }
        });
    }
}
