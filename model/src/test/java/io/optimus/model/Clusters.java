package io.optimus.model;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.stream.IntStream;

/** Clusters for tests. */
public final class Clusters {
    private Clusters() {}

    /** Nodes n000, n001, … that are wholly available, with plenty of memory and cores. */
    public static ClusterSnapshot ofGpus(int nodes, int gpus) {
        return of(nodes, Resources.of(1 << 20, 256, gpus));
    }

    /** Nodes n000, n001, … that are wholly available. */
    public static ClusterSnapshot of(int nodes, Resources capacity) {
        return of(IntStream.range(0, nodes)
                .mapToObj(node -> new NodeSnapshot(id(node), capacity, capacity))
                .toList());
    }

    /** These nodes, without further limits. */
    public static ClusterSnapshot of(List<NodeSnapshot> nodes) {
        Resources capacity = nodes.stream().map(NodeSnapshot::capacity).reduce(Resources.NONE, Resources::plus);
        return new ClusterSnapshot(nodes, capacity);
    }

    /** Id of the node with that index. */
    public static String id(int node) {
        return String.format("n%03d", node);
    }
}
