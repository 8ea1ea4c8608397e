package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The nodes while they are filled, by index in their order. Nodes with the same free amounts are one kind, so
 * that the largest are found among a few hundred kinds instead of many thousand nodes.
 */
final class FreeNodes {
    private static final Comparator<Ranked> LARGEST_FIRST = Comparator.comparing(Ranked::last)
            .thenComparing(Ranked::capacity, Comparator.reverseOrder())
            .thenComparing(kind -> kind.nodes.first());

    private final String[] ids;
    private final String[] racks;
    private final long[] capacity;
    private final long[][] free;
    /** What was free at the beginning. */
    private final long[][] whole;

    private final Map<String, Integer> indices = new HashMap<>();
    private final Map<Kind, TreeSet<Integer>> kinds = new HashMap<>();
    /** Of what was free at the beginning, the nodes where it still is. */
    private final Map<Kind, TreeSet<Integer>> wholeKinds = new HashMap<>();

    /** Most jobs of several nodes on one node, and how many there are on each. */
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
            wholeKinds
                    .computeIfAbsent(new Kind(whole[node]), kind -> new TreeSet<>())
                    .add(node);
            indices.put(ids[node], node);
            enter(node);
        }
    }

    /** Index of the node, -1 where it is not there. */
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

    /** So many jobs of several nodes more are on these nodes. */
    void countDistributedJobs(Collection<Integer> on, int more) {
        on.forEach(node -> distributedJobs[node] += more);
    }

    /** A copy of what is free on the node. */
    long[] room(int node) {
        return free[node].clone();
    }

    /** A copy of what was free on the node before anything was placed. */
    long[] whole(int node) {
        return whole[node].clone();
    }

    /** Whether nothing was placed on the node. */
    boolean isWhole(int node) {
        return Arrays.equals(free[node], whole[node]);
    }

    /** The node with the least capacity of those that hold all {@code tasks}, -1 where none does. */
    int tightest(TaskSizes sizes, Allocation tasks) {
        int tightest = -1;
        double least = Double.POSITIVE_INFINITY;
        for (Map.Entry<Kind, TreeSet<Integer>> kind : kinds.entrySet()) {
            long[] room = kind.getKey().amounts;
            double capacity = sizes.capacity(tasks, room);
            int first = kind.getValue().first();
            boolean better = capacity < least || (capacity == least && first < tightest);
            if (better && sizes.fitting(tasks, room).equals(tasks)) {
                tightest = first;
                least = capacity;
            }
        }
        return tightest;
    }

    /** Nodes where nothing was placed, the largest first. */
    Iterator<Integer> whole(TaskSizes sizes, Allocation tasks) {
        List<Ranked> ranked = new ArrayList<>();
        wholeKinds.forEach((kind, nodes) -> {
            if (!nodes.isEmpty()) {
                ranked.add(new Ranked(false, sizes.capacity(tasks, kind.amounts), nodes));
            }
        });
        return inOrder(ranked);
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
        kinds.forEach((kind, nodes) -> {
            if (sizes.fits(Role.WORKER, kind.amounts)) {
                ranked.add(new Ranked(false, sizes.capacity(tasks, kind.amounts), nodes));
            }
        });
        return inOrder(ranked);
    }

    /** Nodes with room for a parameter server, those without room for a worker first, the largest of them first. */
    Iterator<Integer> forServers(TaskSizes sizes) {
        List<Ranked> ranked = new ArrayList<>();
        kinds.forEach((kind, nodes) -> {
            if (sizes.fits(Role.PARAMETER_SERVER, kind.amounts)) {
                double capacity = sizes.capacity(new Allocation(1, 0), kind.amounts);
                ranked.add(new Ranked(sizes.fits(Role.WORKER, kind.amounts), capacity, nodes));
            }
        });
        return inOrder(ranked);
    }

    /** The node with room for a task of {@code role} and the most free of what the task takes most of; -1: there is none. */
    int mostFree(TaskSizes sizes, Role role) {
        int axis = sizes.dominantAxis(role, capacity);
        int best = -1;
        for (Map.Entry<Kind, TreeSet<Integer>> kind : kinds.entrySet()) {
            long[] room = kind.getKey().amounts;
            int node = kind.getValue().first();
            boolean better =
                    best < 0 || room[axis] > free[best][axis] || (room[axis] == free[best][axis] && node < best);
            if (better && sizes.fits(role, room)) {
                best = node;
            }
        }
        return best;
    }

    private static Iterator<Integer> inOrder(List<Ranked> ranked) {
        ranked.sort(LARGEST_FIRST);
        return new NodesOfKinds(ranked.stream().map(Ranked::nodes).iterator());
    }

    private void change(int node, long[] room) {
        Kind kind = new Kind(free[node]);
        TreeSet<Integer> alike = kinds.get(kind);
        if (alike != null) {
            alike.remove(node);
            if (alike.isEmpty()) {
                kinds.remove(kind);
            }
        }
        // A fresh array: the old one is a key.
        free[node] = room;
        noteWhole(node);
        enter(node);
    }

    private void noteWhole(int node) {
        TreeSet<Integer> stillWhole = wholeKinds.getOrDefault(new Kind(whole[node]), new TreeSet<>());
        if (isWhole(node)) {
            stillWhole.add(node);
        } else {
            stillWhole.remove(node);
        }
    }

    private void enter(int node) {
        kinds.computeIfAbsent(new Kind(free[node]), kind -> new TreeSet<>()).add(node);
    }

    private record Ranked(boolean last, double capacity, SortedSet<Integer> nodes) {}

    /** The nodes of one kind after the other, none looked at before it is asked for. */
    private static final class NodesOfKinds implements Iterator<Integer> {
        private final Iterator<SortedSet<Integer>> kinds;
        private Iterator<Integer> nodes = Collections.emptyIterator();

        NodesOfKinds(Iterator<SortedSet<Integer>> kinds) {
            this.kinds = kinds;
        }

        @Override
        public boolean hasNext() {
            while (!nodes.hasNext() && kinds.hasNext()) {
                nodes = kinds.next().iterator();
            }
            return nodes.hasNext();
        }

        @Override
        public Integer next() {
            if (!hasNext()) {
                throw new NoSuchElementException("No further node has room");
            }
            return nodes.next();
        }
    }

    /** Free amounts as a key. */
    private static final class Kind {
        private final long[] amounts;
        private final int hash;

        Kind(long[] amounts) {
            this.amounts = amounts;
            this.hash = Arrays.hashCode(amounts);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Kind kind && Arrays.equals(amounts, kind.amounts);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
