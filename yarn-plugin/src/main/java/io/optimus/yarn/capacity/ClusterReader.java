package io.optimus.yarn.capacity;

import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceUsage;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what a round needs of the live scheduler: reads as short as YARN's own web pages make, of one queue, node or
 * application at a time, and no lock while anything is computed. Figures of different queues may therefore be a
 * heartbeat apart; whatever a plan makes of them, CapacityScheduler still has the last word.
 */
public final class ClusterReader {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterReader.class);

    private final CapacityScheduler scheduler;
    private final GpuNodes gpus;

    /** Of this scheduler, which may still be starting, and the GPUs of its nodes. */
    public ClusterReader(CapacityScheduler scheduler, GpuNodes gpus) {
        this.scheduler = scheduler;
        this.gpus = gpus;
    }

    /** What the scheduler looks like now to {@code applications}; those that it does not know are left out. */
    public ClusterView read(Collection<TrainingApplication> applications) {
        NodeNames names = new NodeNames(scheduler.getAllNodes());
        Map<ApplicationId, TrainingApplication> training = new HashMap<>();
        applications.forEach(application -> training.put(application.id(), application));

        SortedMap<String, List<LiveApplication>> byQueue = applicationsByQueue();
        SortedMap<String, SortedMap<String, List<Holding>>> holdings = new TreeMap<>();
        byQueue.forEach((queue, apps) -> apps.forEach(live -> {
            Optional.ofNullable(training.get(live.app().getApplicationId()))
                    .flatMap(registered -> holding(live, registered, names))
                    .ifPresent(holding -> holdings.computeIfAbsent(live.partition(), partition -> new TreeMap<>())
                            .computeIfAbsent(queue, path -> new ArrayList<>())
                            .add(holding));
        }));
        // After the applications: what one of them gave back meanwhile is free here, and what it was given is its own.
        List<LiveNode> nodes = nodes(training.keySet());
        List<QueueView> views = new ArrayList<>();
        holdings.forEach((partition, ofQueues) -> views.addAll(views(partition, ofQueues, byQueue, nodes)));
        return new ClusterView(views, free(nodes, training.keySet()));
    }

    private static SortedMap<String, Resources> free(List<LiveNode> nodes, Set<ApplicationId> training) {
        SortedMap<String, Resources> free = new TreeMap<>();
        nodes.stream()
                .filter(LiveNode::usable)
                .forEach(node -> free.put(node.id(), node.unallocated().minus(node.reservedBesides(training))));
        return free;
    }

    private List<LiveNode> nodes(Set<ApplicationId> training) {
        Map<String, String> gpuTypes = gpus.read();
        return scheduler.getAllNodes().stream()
                .map(node -> LiveNode.of(
                        node,
                        gpuTypes.getOrDefault(node.getNodeID().getHost(), ""),
                        container -> training.contains(
                                        container.getApplicationAttemptId().getApplicationId())
                                && !TaskContainers.isMaster(container, scheduler.getRMContext())))
                .toList();
    }

    /** One that cannot be read is left out, and what it holds is taken for an ordinary application's. */
    private static Optional<Holding> holding(LiveApplication live, TrainingApplication registered, NodeNames names) {
        try {
            return Optional.of(live.holding(registered, names));
        } catch (RuntimeException e) {
            LOG.warn("job not read, others are job={}", registered.id(), e);
            return Optional.empty();
        }
    }

    private List<QueueView> views(
            String partition,
            SortedMap<String, List<Holding>> holdings,
            SortedMap<String, List<LiveApplication>> byQueue,
            List<LiveNode> nodes) {
        List<QueueState> queues = new ArrayList<>();
        Map<String, AbstractLeafQueue> leaves = new HashMap<>();
        collect(scheduler.getRootQueue(), List.of(), partition, queues, leaves);
        SortedMap<String, QueueUse> uses = new TreeMap<>();
        holdings.forEach((path, held) -> {
            AbstractLeafQueue leaf = leaves.get(path);
            if (leaf != null) {
                uses.put(path, use(partition, leaf, held, byQueue.getOrDefault(path, List.of()), nodes));
            }
        });
        return QueueUse.views(partition, queues, uses, nodes);
    }

    private SortedMap<String, List<LiveApplication>> applicationsByQueue() {
        SortedMap<ApplicationId, FiCaSchedulerApp> ordered = new TreeMap<>();
        for (SchedulerApplication<FiCaSchedulerApp> known :
                scheduler.getSchedulerApplications().values()) {
            FiCaSchedulerApp app = known.getCurrentAppAttempt();
            if (app != null && !app.isStopped()) {
                ordered.put(app.getApplicationId(), app);
            }
        }
        SortedMap<String, List<LiveApplication>> byQueue = new TreeMap<>();
        for (FiCaSchedulerApp app : ordered.values()) {
            LiveApplication live = new LiveApplication(app, scheduler.getRMContext());
            byQueue.computeIfAbsent(live.queue(), queue -> new ArrayList<>()).add(live);
        }
        return byQueue;
    }

    private static void collect(
            CSQueue queue,
            List<String> ancestors,
            String partition,
            List<QueueState> states,
            Map<String, AbstractLeafQueue> leaves) {
        boolean leaf = queue instanceof AbstractLeafQueue;
        if (queue instanceof AbstractLeafQueue found) {
            leaves.put(queue.getQueuePath(), found);
        }
        states.add(new QueueState(
                queue.getQueuePath(),
                ancestors,
                leaf,
                Amounts.of(queue.getQueueResourceQuotas().getEffectiveMinResource(partition)),
                Amounts.of(queue.getQueueResourceQuotas().getEffectiveMaxResource(partition)),
                Amounts.of(queue.getQueueResourceUsage().getUsed(partition)),
                unreserved(queue.getQueueResourceUsage(), partition)));
        List<String> below = new ArrayList<>();
        below.add(queue.getQueuePath());
        below.addAll(ancestors);
        for (CSQueue child : leaf ? List.<CSQueue>of() : queue.getChildQueues()) {
            collect(child, below, partition, states, leaves);
        }
    }

    /** What waits and is not counted as used: of a queue, YARN counts what is reserved as both. */
    private static Resources unreserved(ResourceUsage usage, String partition) {
        return Amounts.of(usage.getPending(partition))
                .minus(Amounts.of(usage.getReserved(partition)))
                .max(Resources.NONE);
    }

    private static QueueUse use(
            String partition,
            AbstractLeafQueue leaf,
            List<Holding> holdings,
            List<LiveApplication> applications,
            List<LiveNode> nodes) {
        Set<String> partitionNodes = new HashSet<>();
        nodes.stream()
                .filter(node -> node.partition().equals(partition))
                .forEach(node -> partitionNodes.add(node.id()));
        Set<ApplicationId> training = new HashSet<>();
        holdings.forEach(holding -> training.add(holding.application().id()));
        // YARN does not start these before the queue's share of ApplicationMasters allows: they hold up nobody.
        Set<ApplicationId> waiting = new HashSet<>();
        leaf.getPendingApplications().forEach(app -> waiting.add(app.getApplicationId()));

        SortedMap<String, UserState> users = new TreeMap<>();
        for (LiveApplication live : applications) {
            ApplicationId id = live.app().getApplicationId();
            boolean starts = !waiting.contains(id) && live.app().isRunnable();
            users.merge(
                    live.user(),
                    training.contains(id)
                            ? ofTraining(live, partition, partitionNodes, starts)
                            : ofOrdinary(live, partition, starts),
                    UserState::plus);
        }
        return new QueueUse(
                new UserBudgets.Limits(leaf.getUserLimitFactor(), leaf.getUserLimit()),
                List.copyOf(users.values()),
                holdings,
                holdings.stream().map(holding -> holding.on(partitionNodes)).reduce(Resources.NONE, Resources::plus));
    }

    /** The user of a training application: tasks are asked for as planned, and no demand; an ApplicationMaster is. */
    private static UserState ofTraining(LiveApplication live, String partition, Set<String> nodes, boolean starts) {
        // Also of a later attempt.
        boolean demands = starts && live.app().isWaitingForAMContainer();
        return new UserState(
                live.user(),
                live.usedByMaster(partition, nodes),
                demands ? live.pending(partition) : Resources.NONE,
                true);
    }

    private static UserState ofOrdinary(LiveApplication live, String partition, boolean starts) {
        return new UserState(
                live.user(), live.used(partition), starts ? live.pending(partition) : Resources.NONE, false);
    }
}
