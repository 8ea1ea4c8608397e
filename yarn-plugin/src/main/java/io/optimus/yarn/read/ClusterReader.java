package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.budget.QueueState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the parts of the live scheduler that a round needs. It reads one queue, node or application at a time, holding
 * its locks no longer than YARN's own web pages do, and holds none while it computes. So figures of different queues
 * may differ in time by a heartbeat; CapacityScheduler still decides what it grants.
 */
public final class ClusterReader {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterReader.class);

    private final CapacityScheduler scheduler;
    private final NodeGpuTypes gpus;

    /** Reads {@code scheduler}, which may still be starting, and the GPU types of its nodes. */
    public ClusterReader(CapacityScheduler scheduler, NodeGpuTypes gpus) {
        this.scheduler = scheduler;
        this.gpus = gpus;
    }

    /** Returns the present view for {@code applications}, without those that the scheduler does not know. */
    public ClusterView read(Collection<TrainingApplication> applications) {
        NodeNames names = new NodeNames(scheduler.getAllNodes());
        Map<ApplicationId, TrainingApplication> training = new HashMap<>();
        applications.forEach(application -> training.put(application.id(), application));

        SortedMap<String, List<ApplicationReader>> byQueue = applicationsByQueue();
        SortedMap<String, SortedMap<String, List<ApplicationUsage>>> usages = new TreeMap<>();
        byQueue.forEach((queue, apps) -> apps.forEach(live -> {
            Optional.ofNullable(training.get(live.app().getApplicationId()))
                    .flatMap(registered -> usage(live, registered, names))
                    .ifPresent(usage -> usages.computeIfAbsent(live.partition(), partition -> new TreeMap<>())
                            .computeIfAbsent(queue, path -> new ArrayList<>())
                            .add(usage));
        }));
        // Nodes are read after the applications: containers that an application released in between are free here, and
        // new ones count as its own.
        List<NodeView> nodes = nodes(training.keySet());
        List<QueueView> views = new ArrayList<>();
        usages.forEach((partition, ofQueues) -> views.addAll(views(partition, ofQueues, byQueue, nodes)));
        return new ClusterView(views, free(nodes, training.keySet()));
    }

    private static SortedMap<String, Resources> free(List<NodeView> nodes, Set<ApplicationId> training) {
        SortedMap<String, Resources> free = new TreeMap<>();
        nodes.stream()
                .filter(NodeView::usable)
                .forEach(node -> free.put(
                        node.id(), node.use().unallocated().minus(node.use().reservedBesides(training))));
        return free;
    }

    private List<NodeView> nodes(Set<ApplicationId> training) {
        Map<String, String> gpuTypes = gpus.read();
        return scheduler.getAllNodes().stream()
                .map(node -> NodeView.of(
                        node,
                        gpuTypes.getOrDefault(node.getNodeID().getHost(), ""),
                        container -> training.contains(
                                        container.getApplicationAttemptId().getApplicationId())
                                && !TrainingContainer.isMaster(container, scheduler.getRMContext())))
                .toList();
    }

    /** An application that cannot be read is left out: its containers count as those of an ordinary application. */
    private static Optional<ApplicationUsage> usage(
            ApplicationReader live, TrainingApplication registered, NodeNames names) {
        try {
            return Optional.of(live.usage(registered, names));
        } catch (RuntimeException e) {
            LOG.warn("job not read, other jobs are not affected job={}", registered.id(), e);
            return Optional.empty();
        }
    }

    private List<QueueView> views(
            String partition,
            SortedMap<String, List<ApplicationUsage>> usages,
            SortedMap<String, List<ApplicationReader>> byQueue,
            List<NodeView> nodes) {
        Set<String> ofPartition = nodes.stream()
                .filter(node -> node.partition().equals(partition))
                .map(NodeView::id)
                .collect(Collectors.toSet());
        List<QueueState> queues = new ArrayList<>();
        SortedMap<String, QueueUsers> uses = new TreeMap<>();
        for (QueueReader queue : QueueReader.tree(scheduler.getRootQueue(), partition, byQueue)) {
            List<ApplicationUsage> held = usages.getOrDefault(queue.path(), List.of());
            QueueUsers use = queue.use(held, ofPartition);
            queues.add(queue.state(use));
            if (!use.usages().isEmpty()) {
                uses.put(queue.path(), use);
            }
        }
        return QueueUsers.views(partition, queues, uses, nodes);
    }

    private SortedMap<String, List<ApplicationReader>> applicationsByQueue() {
        SortedMap<ApplicationId, FiCaSchedulerApp> ordered = new TreeMap<>();
        for (SchedulerApplication<FiCaSchedulerApp> known :
                scheduler.getSchedulerApplications().values()) {
            FiCaSchedulerApp app = known.getCurrentAppAttempt();
            if (app != null && !app.isStopped()) {
                ordered.put(app.getApplicationId(), app);
            }
        }
        SortedMap<String, List<ApplicationReader>> byQueue = new TreeMap<>();
        for (FiCaSchedulerApp app : ordered.values()) {
            ApplicationReader live = new ApplicationReader(app, scheduler.getRMContext());
            byQueue.computeIfAbsent(live.queue(), queue -> new ArrayList<>()).add(live);
        }
        return byQueue;
    }
}
