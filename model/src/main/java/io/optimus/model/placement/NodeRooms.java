package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.policy.JobSnapshot;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeSet;

/** What is left on each node while placements are made, the emptiest node first. */
final class NodeRooms {
    private static final Comparator<NodeRoom> EMPTIEST_FIRST =
            Comparator.comparingDouble((NodeRoom node) -> -node.freeShare).thenComparing(node -> node.id);

    private final ResourceIndex resources;
    private final Map<String, NodeRoom> byId = new HashMap<>();
    private final NavigableSet<NodeRoom> emptiestFirst = new TreeSet<>(EMPTIEST_FIRST);

    NodeRooms(ClusterSnapshot cluster) {
        SortedSet<String> names = new TreeSet<>();
        cluster.nodes().forEach(node -> names.addAll(node.capacity().amounts().keySet()));
        Resources largest = cluster.nodes().stream().map(NodeSnapshot::capacity).reduce(Resources.NONE, Resources::max);
        this.resources = new ResourceIndex(names, largest);
        for (NodeSnapshot node : cluster.nodes()) {
            NodeRoom room = new NodeRoom(node.id(), resources.of(node.available()));
            room.freeShare = resources.share(room.free);
            byId.put(node.id(), room);
            emptiestFirst.add(room);
        }
    }

    /** What one task of each role of {@code job} takes. */
    TaskSizes sizesOf(JobSnapshot job) {
        return new TaskSizes(
                resources.of(job.parameterServers().task()),
                resources.of(job.workers().task()));
    }

    /** Nodes with most free share first; not to be walked through while something is taken. */
    Iterable<NodeRoom> emptiestFirst() {
        return emptiestFirst;
    }

    /** How many of {@code wanted} fit on {@code node}, parameter servers before workers; none on an unknown node. */
    Allocation fitting(String node, TaskSizes sizes, Allocation wanted) {
        NodeRoom room = byId.get(node);
        return room == null ? Allocation.NONE : room.fitting(sizes, wanted);
    }

    /** Takes the room of {@code tasks} on {@code node}. */
    void take(String node, TaskSizes sizes, Allocation tasks) {
        change(node, sizes, tasks, -1);
    }

    /** Undoes {@link #take}. */
    void giveBack(String node, TaskSizes sizes, Allocation tasks) {
        change(node, sizes, tasks, 1);
    }

    private void change(String node, TaskSizes sizes, Allocation tasks, int sign) {
        NodeRoom room = byId.get(node);
        if (room != null) {
            emptiestFirst.remove(room);
            sizes.addTo(room.free, tasks, sign);
            room.freeShare = resources.share(room.free);
            emptiestFirst.add(room);
        }
    }

    /** One node. */
    static final class NodeRoom {
        final String id;
        private final long[] free;
        private double freeShare;

        private NodeRoom(String id, long[] free) {
            this.id = id;
            this.free = free;
        }

        /** How many of {@code wanted} fit here, parameter servers before workers. */
        Allocation fitting(TaskSizes sizes, Allocation wanted) {
            long[] left = free.clone();
            int servers = sizes.parameterServersIn(left, wanted.parameterServers());
            sizes.addTo(left, new Allocation(servers, 0), -1);
            return new Allocation(servers, sizes.workersIn(left, wanted.workers()));
        }

        /** Whether all of {@code wanted} fit here. */
        boolean holds(TaskSizes sizes, Allocation wanted) {
            return fitting(sizes, wanted).equals(wanted);
        }
    }
}
