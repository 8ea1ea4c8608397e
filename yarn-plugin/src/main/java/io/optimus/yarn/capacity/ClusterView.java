package io.optimus.yarn.capacity;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The live scheduler as a round sees it: copied once, never changing.
 *
 * @param queues leaf queues (and partitions) that have training applications, in the order of queue and partition;
 *     applications that the scheduler does not know (any more) are in none of them
 */
public record ClusterView(List<QueueView> queues) {
    /** Copies. */
    public ClusterView {
        queues = List.copyOf(queues);
    }

    /** What each training application has, by id. */
    public SortedMap<ApplicationId, Holding> holdings() {
        SortedMap<ApplicationId, Holding> holdings = new TreeMap<>();
        queues.forEach(queue -> queue.holdings()
                .forEach(holding -> holdings.put(holding.application().id(), holding)));
        return holdings;
    }

    /**
     * {@code cluster} with less room on its nodes.
     *
     * @param takenByNode what was planned meanwhile for another view, by node id, beyond what that view holds already
     */
    public static ClusterSnapshot less(ClusterSnapshot cluster, Map<String, Resources> takenByNode) {
        List<NodeSnapshot> nodes = cluster.nodes().stream()
                .map(node -> new NodeSnapshot(
                        node.id(),
                        node.capacity(),
                        node.available().minus(takenByNode.getOrDefault(node.id(), Resources.NONE))))
                .toList();
        return new ClusterSnapshot(nodes, cluster.budget());
    }
}
