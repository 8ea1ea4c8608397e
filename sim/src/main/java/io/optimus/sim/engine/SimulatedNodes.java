package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The nodes of the cluster, which of them are up, and what jobs hold on them. */
final class SimulatedNodes {
    private final SortedMap<String, NodeSnapshot> all = new TreeMap<>();
    private final SortedMap<String, NodeSnapshot> up = new TreeMap<>();
    private final Map<String, Resources> held = new HashMap<>();
    /** The largest capacity that a node had: a job may hold more than its node has left after a change. */
    private final Map<String, Resources> largest = new HashMap<>();

    private ClusterSnapshot snapshot;

    SimulatedNodes(List<NodeSnapshot> nodes) {
        for (NodeSnapshot node : nodes) {
            if (all.put(node.id(), node) != null) {
                throw new IllegalArgumentException("Two nodes have the id " + node.id());
            }
        }
        up.putAll(all);
        all.forEach((id, node) -> largest.put(id, node.capacity()));
        snapshot = ofThoseUp();
    }

    private ClusterSnapshot ofThoseUp() {
        Resources capacity = up.values().stream().map(NodeSnapshot::capacity).reduce(Resources.NONE, Resources::plus);
        return new ClusterSnapshot(List.copyOf(up.values()), capacity);
    }

    /** The nodes that are up, with the whole cluster as budget; resources that jobs hold there count as available. */
    ClusterSnapshot snapshot() {
        return snapshot;
    }

    void fails(String node) {
        up.remove(node);
        snapshot = ofThoseUp();
    }

    void returns(String node) {
        up.put(node, known(node));
        snapshot = ofThoseUp();
    }

    /** Adds nodes, or changes the room of those that are there. */
    void change(List<NodeSnapshot> nodes) {
        for (NodeSnapshot node : nodes) {
            all.put(node.id(), node);
            up.put(node.id(), node);
            largest.merge(node.id(), node.capacity(), Resources::max);
        }
        snapshot = ofThoseUp();
    }

    boolean isUp(String node) {
        return up.containsKey(node);
    }

    private NodeSnapshot known(String node) {
        NodeSnapshot known = all.get(node);
        if (known == null) {
            throw new IllegalArgumentException("There is no node " + node);
        }
        return known;
    }

    String gpuType(String node) {
        return known(node).gpuType();
    }

    /** Whether an empty cluster with all nodes up has room for the job's minimum, with its workers on one GPU type. */
    boolean canHold(SimulatedJob job) {
        return all.values().stream().map(NodeSnapshot::gpuType).distinct().anyMatch(type -> canHold(job, type));
    }

    private boolean canHold(SimulatedJob job, String gpuType) {
        boolean anyType = job.demand().workers().task().amount(Resources.GPUS) == 0;
        Allocation left = job.demand().minimum();
        for (NodeSnapshot node : all.values()) {
            if (left.isNone()) {
                return true;
            }
            Resources room = node.capacity();
            int most = anyType || node.gpuType().equals(gpuType) ? left.workers() : 0;
            int workers = (int) job.demand().workers().task().timesIn(room, most);
            room = room.minus(job.demand().workers().task().times(workers));
            int servers = (int) job.demand().parameterServers().task().timesIn(room, left.parameterServers());
            left = new Allocation(left.parameterServers() - servers, left.workers() - workers);
        }
        return left.isNone();
    }

    void release(SimulatedJob job, Placement placement) {
        placement
                .byNode()
                .forEach((node, tasks) ->
                        add(node, Resources.NONE.minus(job.demand().resources(tasks))));
    }

    void hold(SimulatedJob job, Placement placement) {
        placement.byNode().forEach((node, tasks) -> add(node, job.demand().resources(tasks)));
    }

    private void add(String node, Resources resources) {
        held.merge(node, resources, Resources::plus);
    }

    /** Throws if jobs hold more than a node has, or anything on a node that is down: the policy is then wrong. */
    void check(String policy) {
        List<String> over = new ArrayList<>();
        held.forEach((node, resources) -> {
            Resources there = up.containsKey(node) ? largest.getOrDefault(node, Resources.NONE) : Resources.NONE;
            if (!resources.fitsIn(there)) {
                over.add(node + (isUp(node) ? " has " + there : " is down") + " and shall hold " + resources);
            }
        });
        if (!over.isEmpty()) {
            throw new IllegalStateException("Policy " + policy + " plans more than there is: " + over);
        }
    }
}
