package io.optimus.model;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import java.util.List;
import java.util.Map;
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

    /** Nodes n000, n001, … in these racks, with so many GPUs and plenty of memory and cores. */
    public static ClusterSnapshot inRacks(int gpus, String... racks) {
        Resources capacity = Resources.of(1 << 20, 256, gpus);
        return of(IntStream.range(0, racks.length)
                .mapToObj(node -> new NodeSnapshot(id(node), capacity, capacity, "", racks[node]))
                .toList());
    }

    /** {@code cluster}, of which only so many GPUs may be used. */
    public static ClusterSnapshot withBudgetOfGpus(ClusterSnapshot cluster, int gpus) {
        return new ClusterSnapshot(cluster.nodes(), Resources.of(1 << 30, 1 << 20, gpus));
    }

    /** These nodes, without further limits. */
    public static ClusterSnapshot of(List<NodeSnapshot> nodes) {
        Resources capacity = nodes.stream().map(NodeSnapshot::capacity).reduce(Resources.NONE, Resources::plus);
        return new ClusterSnapshot(nodes, capacity);
    }

    /** Tasks that are all on the node with that index. */
    public static Placement on(int node, int servers, int workers) {
        return Placement.of(Map.of(id(node), new Allocation(servers, workers)));
    }

    /** Id of the node with that index. */
    public static String id(int node) {
        return String.format("n%03d", node);
    }
}
