package io.optimus.model.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The nodes and the budget that a round divides. Immutable. */
public final class ClusterSnapshot {
    private static final Comparator<NodeSnapshot> BY_RACK =
            Comparator.comparing(NodeSnapshot::rack).thenComparing(NodeSnapshot::id);

    private final List<NodeSnapshot> nodes;
    private final Resources budget;
    private final Resources capacity;
    private final Resources available;

    /**
     * Copies and sorts the nodes.
     *
     * @param nodes usable nodes
     * @param budget the most that training tasks may take in sum by the queue's limits, whatever room the nodes have
     */
    public ClusterSnapshot(List<NodeSnapshot> nodes, Resources budget) {
        this.nodes = nodes.stream().sorted(BY_RACK).toList();
        this.budget = budget;
        // Computed once: policies and placers ask several times a round, and there may be thousands of nodes.
        Resources sum = Resources.NONE;
        Resources room = Resources.NONE;
        for (NodeSnapshot node : nodes) {
            sum = sum.plus(node.capacity());
            room = room.plus(node.available().max(Resources.NONE));
        }
        this.capacity = sum;
        this.available = room.min(budget);
    }

    /** Usable nodes, rack by rack, in order of their ids. */
    public List<NodeSnapshot> nodes() {
        return nodes;
    }

    /** The most that training tasks may take in sum by the queue's limits, whatever room the nodes have. */
    public Resources budget() {
        return budget;
    }

    /** The capacity of all nodes; shares are relative to it. */
    public Resources capacity() {
        return capacity;
    }

    /** The most that training tasks may take in sum: the room on the nodes, within the budget. */
    public Resources available() {
        return available;
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
                nodes.stream()
                        .map(node -> node.withAvailable(
                                node.available().minus(taken.getOrDefault(node.id(), Resources.NONE))))
                        .toList(),
                budget);
    }
}
