package io.optimus.model.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The nodes and the budget that a round divides. Immutable; what is derived from the nodes is computed when first asked for. */
public final class ClusterSnapshot {
    private static final Comparator<NodeSnapshot> BY_RACK =
            Comparator.comparing(NodeSnapshot::rack).thenComparing(NodeSnapshot::id);

    private final Supplier<List<NodeSnapshot>> source;
    private final Resources budget;
    private volatile @Nullable Contents contents;

    /** What is computed once: policies and placers ask several times a round, and there may be thousands of nodes. */
    private record Contents(List<NodeSnapshot> nodes, Resources capacity, Resources room) {
        static Contents of(List<NodeSnapshot> nodes) {
            Resources sum = Resources.NONE;
            Resources room = Resources.NONE;
            for (NodeSnapshot node : nodes) {
                sum = sum.plus(node.capacity());
                room = room.plus(node.available().max(Resources.NONE));
            }
            return new Contents(nodes.stream().sorted(BY_RACK).toList(), sum, room);
        }
    }

    private ClusterSnapshot(Supplier<List<NodeSnapshot>> source, Resources budget) {
        this.source = source;
        this.budget = budget;
    }

    /**
     * Copies and sorts the nodes.
     *
     * @param nodes usable nodes
     * @param budget the most that training tasks may take in sum by the queue's limits, whatever room the nodes have
     */
    public ClusterSnapshot(List<NodeSnapshot> nodes, Resources budget) {
        this(() -> nodes, budget);
        contents = Contents.of(nodes);
    }

    /**
     * The same, for nodes that are not always needed.
     *
     * @param nodes a pure function of immutable values
     */
    public static ClusterSnapshot of(Supplier<List<NodeSnapshot>> nodes, Resources budget) {
        return new ClusterSnapshot(nodes, budget);
    }

    /** Two threads may compute the same contents. */
    private Contents contents() {
        Contents known = contents;
        if (known == null) {
            known = Contents.of(source.get());
            contents = known;
        }
        return known;
    }

    /** Usable nodes, rack by rack, in order of their ids. */
    public List<NodeSnapshot> nodes() {
        return contents().nodes();
    }

    /** The most that training tasks may take in sum by the queue's limits, whatever room the nodes have. */
    public Resources budget() {
        return budget;
    }

    /** The capacity of all nodes; shares are relative to it. */
    public Resources capacity() {
        return contents().capacity();
    }

    /** The most that training tasks may take in sum: the room on the nodes, within the budget. */
    public Resources available() {
        return contents().room().min(budget);
    }

    /**
     * The same cluster with less room on its nodes.
     *
     * @param taken resources planned for other jobs since, by node id, beyond those that they already hold there
     */
    public ClusterSnapshot less(Map<String, Resources> taken) {
        if (taken.isEmpty()) {
            return this;
        }
        return new ClusterSnapshot(
                nodes().stream()
                        .map(node -> node.withAvailable(
                                node.available().minus(taken.getOrDefault(node.id(), Resources.NONE))))
                        .toList(),
                budget);
    }
}
