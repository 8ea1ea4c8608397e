package io.optimus.yarn.read;

import io.optimus.yarn.budget.QueueState;
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
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the parts of the live scheduler that a round needs. It reads one queue, node or application at a time, holding
 * its locks no longer than YARN's own web pages do, and holds none while it computes. So figures of different queues
 * may differ in time by a heartbeat; CapacityScheduler still decides what it grants.
 *
 * <p>Nodes and applications are copied again only when they changed; if nothing changed, the last view is returned. At
 * regular times, and when it is not known what changed, everything is copied.
 *
 * <p>Not thread-safe.
 */
public final class ClusterReader {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterReader.class);
    /** As often as regular rounds are by default. A change that nobody noted is overlooked for at most this time. */
    private static final long COPY_ALL_MILLIS = 60_000;

    private final CapacityScheduler scheduler;
    private final NodeGpuTypes gpus;
    private final SchedulerChanges changes;
    private final Times times;
    private final NodeCopies nodes = new NodeCopies();
    private final ApplicationCopies applications = new ApplicationCopies();
    private long copiedAllMillis = Long.MIN_VALUE / 2;
    private Map<String, String> gpuTypes = Map.of();
    private List<FiCaSchedulerNode> lastNodes = List.of();
    /** Nodes whose containers changed after they were read. */
    private Set<NodeId> changedLate = Set.of();

    private Map<ApplicationId, TrainingApplication> lastTraining = Map.of();
    private Optional<ClusterView> last = Optional.empty();

    /**
     * Times.
     *
     * @param clock milliseconds, never going back
     * @param mostMillis how long reading may take, asked for each time
     */
    public record Times(LongSupplier clock, LongSupplier mostMillis) {
        private void check(long sinceMillis) {
            long took = clock.getAsLong() - sinceMillis;
            if (took > mostMillis.getAsLong()) {
                throw new IllegalStateException("reading the cluster was given up after " + took + " ms");
            }
        }
    }

    /**
     * Reads {@code scheduler}, which may still be starting.
     *
     * @param gpus the GPU types of its nodes
     * @param changes what changes in the scheduler
     */
    public ClusterReader(CapacityScheduler scheduler, NodeGpuTypes gpus, SchedulerChanges changes, Times times) {
        this.scheduler = scheduler;
        this.gpus = gpus;
        this.changes = changes;
        this.times = times;
    }

    /**
     * Returns the present view for {@code training}, without those that the scheduler does not know.
     *
     * @throws IllegalStateException if it takes too long, such as where locks of YARN are held for long; the next call copies
     *     everything
     */
    public ClusterView read(Collection<TrainingApplication> training) {
        Map<ApplicationId, TrainingApplication> byId = new HashMap<>();
        training.forEach(application -> byId.put(application.id(), application));
        try {
            boolean changed = renew(changes.take(), byId);
            ClusterView view = changed || last.isEmpty() ? view(byId) : last.get();
            last = Optional.of(view);
            return view;
        } catch (RuntimeException | LinkageError e) {
            // The changes were taken, but perhaps not read.
            changes.everything();
            throw e;
        }
    }

    /** Copies what changed; returns whether anything did. */
    private boolean renew(SchedulerChanges.Taken changed, Map<ApplicationId, TrainingApplication> training) {
        long now = times.clock().getAsLong();
        Runnable check = () -> times.check(now);
        boolean all = changed.everything() || now - copiedAllMillis >= COPY_ALL_MILLIS;
        if (all) {
            copiedAllMillis = now;
            gpuTypes = gpus.read();
            nodes.clear();
            applications.clear();
        }
        List<FiCaSchedulerNode> live = scheduler.getAllNodes();
        if (!isSame(live, lastNodes)) {
            applications.forgetBlacklists();
            lastNodes = live;
        }
        ApplicationCopies.Renewed renewed = applications(changed.applications(), check);
        Set<NodeId> changedNodes = new HashSet<>(changed.nodes());
        changedNodes.addAll(changedLate);
        changedNodes.addAll(nodesOf(renewed.copied(), training));
        boolean sameTraining = training.equals(lastTraining);
        changedNodes.addAll(sameTraining ? Set.of() : nodesOfJobsThatCameOrWent(training));
        lastTraining = training;
        boolean copied =
                nodes.renew(live, changedNodes, gpuTypes, new ContainerKinds(scheduler, training.keySet()), check);
        // What was granted since the applications were read would be neither free nor theirs: a growing job would be
        // told to give it up.
        ApplicationCopies.Renewed since = applications(Set.of(), check);
        changedLate = nodesOf(since.copied(), training);
        return all || copied || renewed.any() || since.any() || !sameTraining;
    }

    private ApplicationCopies.Renewed applications(Set<ApplicationId> changed, Runnable check) {
        return applications.renew(
                scheduler.getSchedulerApplications().values(), changed, scheduler.getRMContext(), check);
    }

    @SuppressWarnings("ReferenceEquality") // A node that comes back is another object with the same id.
    private static boolean isSame(List<FiCaSchedulerNode> some, List<FiCaSchedulerNode> others) {
        boolean same = some.size() == others.size();
        for (int i = 0; same && i < some.size(); i++) {
            same = some.get(i) == others.get(i);
        }
        return same;
    }

    /** On these, other containers may count as tasks than before: YARN marks an ApplicationMaster's a moment late. */
    private static Set<NodeId> nodesOf(
            List<ApplicationReader> copied, Map<ApplicationId, TrainingApplication> training) {
        Set<NodeId> changed = new HashSet<>();
        copied.stream()
                .filter(application -> training.containsKey(application.id()))
                .forEach(application -> changed.addAll(application.nodes()));
        return changed;
    }

    private Set<NodeId> nodesOfJobsThatCameOrWent(Map<ApplicationId, TrainingApplication> training) {
        Set<ApplicationId> either = new HashSet<>(training.keySet());
        either.addAll(lastTraining.keySet());
        Set<NodeId> changed = new HashSet<>();
        for (ApplicationId id : either) {
            if (training.containsKey(id) != lastTraining.containsKey(id)) {
                applications.of(id).ifPresent(application -> changed.addAll(application.nodes()));
            }
        }
        return changed;
    }

    /**
     * Copies the scheduler for views that differ from the present one.
     *
     * @param queue path of a leaf queue that is copied also if it has no training applications; empty for none
     * @param partition node label for which that queue is copied
     */
    public ClusterCopy copy(Collection<TrainingApplication> training, String queue, String partition) {
        Map<ApplicationId, TrainingApplication> byId = new HashMap<>();
        training.forEach(application -> byId.put(application.id(), application));
        renew(changes.take(), byId);
        return copied(byId, queue, partition);
    }

    private ClusterView view(Map<ApplicationId, TrainingApplication> training) {
        return copied(training, "", "").view();
    }

    private ClusterCopy copied(Map<ApplicationId, TrainingApplication> training, String always, String on) {
        NodeNames names = new NodeNames(lastNodes);
        SortedMap<String, List<ApplicationReader>> byQueue = applications.byQueue();
        SortedMap<String, SortedMap<String, List<ApplicationUsage>>> usages = new TreeMap<>();
        byQueue.forEach((queue, ofQueue) -> ofQueue.forEach(application -> Optional.ofNullable(
                        training.get(application.id()))
                .flatMap(registered -> usage(application, registered, names))
                .ifPresent(usage -> usages.computeIfAbsent(application.partition(), partition -> new TreeMap<>())
                        .computeIfAbsent(queue, path -> new ArrayList<>())
                        .add(usage))));
        if (!always.isEmpty()) {
            usages.computeIfAbsent(on, partition -> new TreeMap<>()).computeIfAbsent(always, path -> new ArrayList<>());
        }
        List<PartitionCopy> partitions = new ArrayList<>();
        usages.forEach((partition, ofQueues) -> partitions.add(partition(partition, ofQueues, byQueue)));
        return new ClusterCopy(partitions, nodes.views(), training.keySet());
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

    private PartitionCopy partition(
            String partition,
            SortedMap<String, List<ApplicationUsage>> usages,
            SortedMap<String, List<ApplicationReader>> byQueue) {
        Set<String> ofPartition = nodes.ids(partition);
        List<QueueState> queues = new ArrayList<>();
        SortedMap<String, QueueUsers> uses = new TreeMap<>();
        for (QueueReader queue : QueueReader.tree(scheduler.getRootQueue(), partition, byQueue)) {
            List<ApplicationUsage> held = usages.get(queue.path());
            queues.add(queue.state());
            uses.put(queue.path(), queue.use(held == null ? List.of() : held, ofPartition, held != null));
        }
        return new PartitionCopy(partition, queues, uses);
    }
}
