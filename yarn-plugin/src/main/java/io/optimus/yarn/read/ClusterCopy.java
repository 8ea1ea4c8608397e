package io.optimus.yarn.read;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.yarn.budget.QueueState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * An immutable copy of the live scheduler, and others that differ from it: with one more application or without some, with
 * another node or without one, or where a queue has another limit. Nothing of the scheduler changes.
 *
 * <p>If nodes come or go, the capacities of all queues grow or shrink in proportion, as those do that are configured in percent.
 * Ordinary applications keep what they hold, also on a node that is lost: they would ask for as much elsewhere.
 */
public final class ClusterCopy {
    private final List<PartitionCopy> partitions;
    private final List<NodeView> nodes;
    private final Set<ApplicationId> training;

    /**
     * A copy.
     *
     * @param partitions the partitions with training applications
     * @param nodes all nodes
     * @param training the training applications
     */
    ClusterCopy(List<PartitionCopy> partitions, List<NodeView> nodes, Set<ApplicationId> training) {
        this.partitions = List.copyOf(partitions);
        this.nodes = nodes;
        this.training = Set.copyOf(training);
    }

    /** The view of a round. */
    public ClusterView view() {
        List<QueueView> views = new ArrayList<>();
        partitions.forEach(partition -> views.addAll(partition.views(nodes)));
        SortedMap<String, Resources> free = new TreeMap<>();
        for (NodeView node : nodes) {
            if (node.usable()) {
                free.put(node.id(), node.use().freeBesides(training));
            }
        }
        return new ClusterView(views, free);
    }

    /** All nodes, with all of their resources available. */
    public List<NodeSnapshot> nodes() {
        return nodes.stream()
                .map(node -> new NodeSnapshot(node.id(), node.capacity(), node.capacity(), node.gpuType(), node.rack()))
                .toList();
    }

    /** The nodes that get containers, in the default partition. */
    public List<NodeSnapshot> usableNodes() {
        Set<String> usable = nodes.stream()
                .filter(node -> node.usable() && node.partition().isEmpty())
                .map(NodeView::id)
                .collect(Collectors.toSet());
        return nodes().stream().filter(node -> usable.contains(node.id())).toList();
    }

    /** Without {@code gone}: their containers are free. */
    public ClusterCopy without(Set<ApplicationId> gone) {
        if (gone.isEmpty()) {
            return this;
        }
        Set<ApplicationId> left = new HashSet<>(training);
        left.removeAll(gone);
        return new ClusterCopy(
                partitions(partition -> partition.without(gone, ids(partition))),
                nodes.stream().map(node -> node.with(node.use().without(gone))).toList(),
                left);
    }

    /**
     * With one more application in {@code partition}, whose ApplicationMaster is on the node with most free memory.
     *
     * @param partition node label that it asks for; empty for the default partition
     */
    public ClusterCopy with(SupposedApplication supposed, String partition) {
        Optional<NodeView> host = nodes.stream()
                .filter(node -> node.usable() && node.partition().equals(partition))
                .max(Comparator.comparingLong(node -> node.use().unallocated().amount(Resources.MEMORY_MB)));
        Set<ApplicationId> more = new HashSet<>(training);
        more.add(supposed.application().id());
        return new ClusterCopy(
                partitions(copy -> copy.partition().equals(partition) ? copy.with(supposed) : copy),
                nodes.stream()
                        .map(node -> host.filter(node::equals).isPresent() ? hosting(node, supposed.master()) : node)
                        .toList(),
                more);
    }

    private static NodeView hosting(NodeView node, Resources master) {
        NodeView.Use use = node.use();
        return node.with(new NodeView.Use(use.unallocated().minus(master), use.training(), use.reservation()));
    }

    /** Without the node {@code id}: the tasks on it are lost. */
    public ClusterCopy withoutNode(String id) {
        Optional<NodeView> lost =
                nodes.stream().filter(node -> node.id().equals(id)).findFirst();
        if (lost.isEmpty()) {
            return this;
        }
        List<NodeView> left =
                nodes.stream().filter(node -> !node.id().equals(id)).toList();
        ClusterCopy fewer = new ClusterCopy(partitions, left, training);
        String label = lost.get().partition();
        return new ClusterCopy(
                partitions(partition -> {
                    PartitionCopy without = partition.withoutTasksOn(id, fewer.ids(partition));
                    return partition.partition().equals(label)
                            ? without.onWhole(
                                    without.whole().minus(lost.get().capacity()).max(Resources.NONE))
                            : without;
                }),
                left,
                training);
    }

    /** With an empty node in the default partition. */
    public ClusterCopy withNode(AddedNode added) {
        List<NodeView> more = new ArrayList<>(nodes);
        more.add(new NodeView(
                added.id(),
                "/added",
                added.gpuType(),
                "",
                NodeView.Life.RUNS,
                added.capacity(),
                new NodeView.Use(added.capacity(), new TreeMap<>(), Optional.empty())));
        return new ClusterCopy(
                partitions(partition -> partition.partition().isEmpty()
                        ? partition.onWhole(partition.whole().plus(added.capacity()))
                        : partition),
                more,
                training);
    }

    /** A node that the cluster does not have. */
    public record AddedNode(String id, Resources capacity, String gpuType) {}

    /** Where {@code queue} may use at most {@code percent} of what its parent may use, as by {@code maximum-capacity}. */
    public ClusterCopy limited(String queue, double percent) {
        return new ClusterCopy(partitions(partition -> partition.limited(queue, percent)), nodes, training);
    }

    /** The percentage of what its parent may use that is guaranteed to {@code queue}; empty if it is the root, or unknown. */
    public Optional<Double> guaranteedPercent(String queue) {
        return partitions.stream()
                .flatMap(partition -> partition.find(queue).stream().flatMap(own -> own.ancestors().stream()
                        .limit(1)
                        .flatMap(parent -> partition.find(parent).stream())
                        .map(parent ->
                                100 * own.guarantee().dominant(parent.maximum()).part())))
                .max(Comparator.naturalOrder());
    }

    /** The paths of all queues; none where no partition has training applications. */
    public Set<String> queues() {
        return partitions.stream()
                .flatMap(partition -> partition.queues().stream().map(QueueState::path))
                .collect(Collectors.toSet());
    }

    private List<PartitionCopy> partitions(UnaryOperator<PartitionCopy> change) {
        return partitions.stream().map(change).toList();
    }

    private Set<String> ids(PartitionCopy partition) {
        return nodes.stream()
                .filter(node -> node.partition().equals(partition.partition()))
                .map(NodeView::id)
                .collect(Collectors.toSet());
    }
}
