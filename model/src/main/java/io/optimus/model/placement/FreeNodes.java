package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.placement.NodesByRoom.Ranked;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** The free resources of all nodes during a placement pass. Nodes are named by their index. */
final class FreeNodes {
    private final String[] ids;
    private final String[] racks;
    private final long[] capacity;
    private final long[][] free;
    /** The resources that were free before the pass. */
    private final long[][] whole;

    private final Map<String, Integer> indices = new HashMap<>();
    /** Nodes grouped by their free resources. */
    private final NodesByRoom kinds = new NodesByRoom();
    /** Nodes without tasks of this pass. */
    private final NodesByRoom wholeKinds = new NodesByRoom();

    /** The most jobs of several nodes that may share a node, and how many of them are on each. */
    private final int distributedJobsPerNode;

    private final int[] distributedJobs;

    FreeNodes(ClusterSnapshot cluster, ResourceAxes axes) {
        this(cluster, axes, Integer.MAX_VALUE);
    }

    FreeNodes(ClusterSnapshot cluster, ResourceAxes axes, int distributedJobsPerNode) {
        this.distributedJobsPerNode = distributedJobsPerNode;
        List<NodeSnapshot> nodes = cluster.nodes();
        this.ids = new String[nodes.size()];
        this.racks = new String[nodes.size()];
        this.free = new long[nodes.size()][];
        this.capacity = axes.amounts(cluster.capacity());
        this.whole = new long[nodes.size()][];
        this.distributedJobs = new int[nodes.size()];
        for (int node = 0; node < ids.length; node++) {
            ids[node] = nodes.get(node).id();
            racks[node] = nodes.get(node).rack();
            free[node] = axes.amounts(nodes.get(node).available());
            whole[node] = free[node];
            wholeKinds.add(whole[node], node);
            indices.put(ids[node], node);
            kinds.add(free[node], node);
        }
    }

    /** The index of the node; -1 if it does not exist. */
    int index(String id) {
        return indices.getOrDefault(id, -1);
    }

    String id(int node) {
        return ids[node];
    }

    String rack(int node) {
        return racks[node];
    }

    boolean limitsDistributedJobs() {
        return distributedJobsPerNode < Integer.MAX_VALUE;
    }

    /** Whether one more job of several nodes may be on the node. */
    boolean takesDistributedJob(int node) {
        return distributedJobs[node] < distributedJobsPerNode;
    }

    /** Counts {@code more} jobs of several nodes on these nodes. */
    void countDistributedJobs(Collection<Integer> on, int more) {
        on.forEach(node -> distributedJobs[node] += more);
    }

    long[] room(int node) {
        return free[node].clone();
    }

    /** A copy of the resources that were free on the node before the pass. */
    long[] whole(int node) {
        return whole[node].clone();
    }

    /** Whether the node has no tasks of this pass. */
    boolean isWhole(int node) {
        return Arrays.equals(free[node], whole[node]);
    }

    /** The node with the least capacity of those that hold all {@code tasks}, -1 where none does. */
    int tightest(TaskSizes sizes, Allocation tasks) {
        int tightest = -1;
        double least = Double.POSITIVE_INFINITY;
        for (NodesByRoom.Alike alike : kinds.all()) {
            long[] room = alike.amounts();
            double capacity = sizes.capacity(tasks, room);
            int first = alike.nodes().first();
            boolean better = capacity < least || (capacity == least && first < tightest);
            if (better && sizes.fitting(tasks, room).equals(tasks)) {
                tightest = first;
                least = capacity;
            }
        }
        return tightest;
    }

    /** Nodes without tasks of this pass, the largest first. */
    Iterator<Integer> whole(TaskSizes sizes, Allocation tasks) {
        List<Ranked> ranked = new ArrayList<>();
        for (NodesByRoom.Alike alike : wholeKinds.all()) {
            ranked.add(new Ranked(false, sizes.capacity(tasks, alike.amounts()), alike.nodes()));
        }
        return NodesByRoom.inOrder(ranked);
    }

    void take(int node, TaskSizes sizes, Allocation tasks) {
        long[] room = room(node);
        sizes.take(tasks, room);
        change(node, room);
    }

    void giveBack(int node, TaskSizes sizes, Allocation tasks) {
        long[] room = room(node);
        sizes.giveBack(tasks, room);
        change(node, room);
    }

    /** Nodes with room for a worker, those with the most free capacity for {@code tasks} first. */
    Iterator<Integer> forWorkers(TaskSizes sizes, Allocation tasks) {
        List<Ranked> ranked = new ArrayList<>();
        for (NodesByRoom.Alike alike : kinds.all()) {
            if (sizes.fits(Role.WORKER, alike.amounts())) {
                ranked.add(new Ranked(false, sizes.capacity(tasks, alike.amounts()), alike.nodes()));
            }
        }
        return NodesByRoom.inOrder(ranked);
    }

    /** Nodes with room for a parameter server, those without room for a worker first, the largest of them first. */
    Iterator<Integer> forServers(TaskSizes sizes) {
        List<Ranked> ranked = new ArrayList<>();
        for (NodesByRoom.Alike alike : kinds.all()) {
            if (sizes.fits(Role.PARAMETER_SERVER, alike.amounts())) {
                double capacity = sizes.capacity(new Allocation(1, 0), alike.amounts());
                ranked.add(new Ranked(sizes.fits(Role.WORKER, alike.amounts()), capacity, alike.nodes()));
            }
        }
        return NodesByRoom.inOrder(ranked);
    }

    /** The node with room for a task of {@code role} and the most free of its dominant resource; -1 where there is none. */
    int mostFree(TaskSizes sizes, Role role) {
        int axis = sizes.dominantAxis(role, capacity);
        int best = -1;
        for (NodesByRoom.Alike alike : kinds.all()) {
            long[] room = alike.amounts();
            int node = alike.nodes().first();
            boolean better =
                    best < 0 || room[axis] > free[best][axis] || (room[axis] == free[best][axis] && node < best);
            if (better && sizes.fits(role, room)) {
                best = node;
            }
        }
        return best;
    }

    private void change(int node, long[] room) {
        kinds.remove(free[node], node);
        // A new array, because the old one is a key.
        free[node] = room;
        kinds.add(room, node);
        if (isWhole(node)) {
            wholeKinds.add(whole[node], node);
        } else {
            wholeKinds.remove(whole[node], node);
        }
    }
}
