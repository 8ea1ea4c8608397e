package io.optimus.model.cluster;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts how many tasks of a shape fit on a cluster's nodes, node by node: four nodes with 4 GPUs host four tasks of 3 GPUs,
 * not five. Equal nodes are counted once, and each shape once. Not safe for several threads.
 */
public final class NodeRoom {
    private final Map<Resources, Integer> kinds = new LinkedHashMap<>();
    private final Map<Resources, Hosting> known = new HashMap<>();
    private final Resources available;

    /**
     * The numbers of tasks of one shape that the nodes host.
     *
     * @param onOneNode the most on one node, 0 or more
     * @param onAllNodes on all nodes together, 0 or more
     * @param inAll on all nodes within the budget, 0 or more
     */
    public record Hosting(int onOneNode, long onAllNodes, int inAll) {
        /** The fewest nodes that host {@code count} of them, 1 or more; 1 where no node hosts any. */
        public int fewestNodes(int count) {
            return onOneNode == 0 ? 1 : (int) Math.max(1, ((long) count + onOneNode - 1) / onOneNode);
        }

        /** An equal part of {@code inAll} for each of {@code jobs} jobs, rounded up. */
        public int fair(int jobs) {
            return (int) (((long) inAll + jobs - 1) / jobs);
        }
    }

    /** Counts tasks on the nodes of {@code cluster}, within its budget. */
    public NodeRoom(ClusterSnapshot cluster) {
        cluster.nodes().stream().map(NodeSnapshot::available).forEach(room -> kinds.merge(room, 1, Integer::sum));
        this.available = cluster.available();
    }

    /** The numbers of tasks of {@code shape} that the nodes host. */
    public Hosting of(Resources shape) {
        return known.computeIfAbsent(shape, this::count);
    }

    private Hosting count(Resources shape) {
        long onOneNode = 0;
        long onAllNodes = 0;
        for (Map.Entry<Resources, Integer> kind : kinds.entrySet()) {
            long here = shape.timesIn(kind.getKey(), Integer.MAX_VALUE);
            onOneNode = Math.max(onOneNode, here);
            onAllNodes += here * kind.getValue();
        }
        long inAll = shape.timesIn(available, Math.min(Integer.MAX_VALUE, onAllNodes));
        return new Hosting((int) onOneNode, onAllNodes, (int) inAll);
    }
}
