package io.optimus.model.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What a round divides.
 *
 * @param nodes usable nodes, in order of their ids
 * @param budget what training tasks may take in sum, however much the nodes have room for: the queue's limits
 */
public record ClusterSnapshot(List<NodeSnapshot> nodes, Resources budget) {
    /** Copies and sorts the nodes. */
    public ClusterSnapshot {
        nodes = nodes.stream().sorted(Comparator.comparing(NodeSnapshot::id)).toList();
    }

    /** Capacity of all nodes: what shares are shares of. */
    public Resources capacity() {
        return nodes.stream().map(NodeSnapshot::capacity).reduce(Resources.NONE, Resources::plus);
    }

    /** What training tasks may take in sum: room on the nodes, within the budget. */
    public Resources available() {
        Resources room = nodes.stream()
                .map(node -> node.available().max(Resources.NONE))
                .reduce(Resources.NONE, Resources::plus);
        return room.min(budget);
    }

    /**
     * The same with less room on its nodes.
     *
     * @param taken what was planned meanwhile for somebody else, by node id, beyond what he holds there already
     */
    public ClusterSnapshot less(Map<String, Resources> taken) {
        return new ClusterSnapshot(
                nodes.stream()
                        .map(node -> node.withAvailable(
                                node.available().minus(taken.getOrDefault(node.id(), Resources.NONE))))
                        .toList(),
                budget);
    }
}
