package io.optimus.model.policy.speedup;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** How much of each shape the nodes of one round host. Nodes are often alike: each kind is counted once, each shape once. */
public final class Hostings {
    private final Map<Resources, Integer> kinds = new LinkedHashMap<>();
    private final Map<Resources, Hosting> known = new HashMap<>();
    private final Resources available;

    /** On the nodes of {@code cluster}, within its budget. */
    public Hostings(ClusterSnapshot cluster) {
        cluster.nodes().stream().map(NodeSnapshot::available).forEach(room -> kinds.merge(room, 1, Integer::sum));
        this.available = cluster.available();
    }

    /** How much of {@code shape}, which asks for something, they host. */
    public Hosting of(Resources shape) {
        return known.computeIfAbsent(shape, this::count);
    }

    private Hosting count(Resources shape) {
        long onOneNode = 0;
        long inAll = 0;
        for (Map.Entry<Resources, Integer> kind : kinds.entrySet()) {
            long here = shape.timesIn(kind.getKey(), Integer.MAX_VALUE);
            onOneNode = Math.max(onOneNode, here);
            inAll = Math.min(Integer.MAX_VALUE, inAll + here * kind.getValue());
        }
        return new Hosting((int) onOneNode, (int) shape.timesIn(available, inAll));
    }
}
