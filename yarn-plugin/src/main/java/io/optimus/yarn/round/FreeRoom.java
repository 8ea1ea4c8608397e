package io.optimus.yarn.round;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.yarn.capacity.ClusterView;
import io.optimus.yarn.capacity.Holding;
import io.optimus.yarn.capacity.QueueView;
import java.util.Map;
import java.util.TreeMap;

/** What nobody holds, by node. */
final class FreeRoom {
    private FreeRoom() {}

    static Map<String, Resources> of(ClusterView view) {
        Map<String, Resources> free = new TreeMap<>();
        for (QueueView queue : view.queues()) {
            Map<String, Resources> held = Holding.byNode(queue.holdings());
            for (NodeSnapshot node : queue.cluster().nodes()) {
                // All views of a node agree; where they were read a heartbeat apart, the smaller one is safe.
                Resources here = node.available().minus(held.getOrDefault(node.id(), Resources.NONE));
                free.merge(node.id(), here, Resources::min);
            }
        }
        return free;
    }
}
