package io.optimus.sim.trace.pollux;

import io.optimus.sim.interpolation.GridPoint;
import io.optimus.sim.interpolation.LinearInterpolation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The measured time of a step by placement and batch.
 *
 * <p>On a measured placement, times are interpolated linearly in the batch. On any other placement, they are
 * interpolated linearly in (nodes, replicas, batch) between all measurements. Beyond the measurements, the nearest one
 * counts. Placements that are rotations of each other are the same ring of nodes.
 *
 * <p>Safe for several threads; results are cached.
 */
final class StepTimes {
    private final Map<List<Integer>, NavigableMap<Integer, StepTime>> byPlacement;
    private final LinearInterpolation elsewhere;
    private final int mostNodes;
    private final Map<Key, StepTime> known = new ConcurrentHashMap<>();

    private record Key(List<Integer> replicasByNode, int batch) {}

    /**
     * Takes measurements.
     *
     * @param byPlacement step times by replicas of each node, in the rotation that {@link #rotation} gives, and by batch
     * @param elsewhere step and synchronisation seconds by nodes, replicas and batch
     * @param mostNodes largest measured number of nodes: on more nodes, steps take as long
     */
    StepTimes(
            Map<List<Integer>, NavigableMap<Integer, StepTime>> byPlacement,
            LinearInterpolation elsewhere,
            int mostNodes) {
        this.byPlacement = Map.copyOf(byPlacement);
        this.elsewhere = elsewhere;
        this.mostNodes = mostNodes;
    }

    /** Returns the rotation of the ring that comes first in lexicographic order. */
    static List<Integer> rotation(List<Integer> ring) {
        List<Integer> first = ring;
        List<Integer> turned = new ArrayList<>(ring);
        for (int i = 1; i < ring.size(); i++) {
            Collections.rotate(turned, 1);
            if (compare(turned, first) < 0) {
                first = List.copyOf(turned);
            }
        }
        return List.copyOf(first);
    }

    private static int compare(List<Integer> one, List<Integer> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = Integer.compare(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    /**
     * Returns the time of a step.
     *
     * @param replicasByNode replicas of each node, 1 or more, in any order. They are sorted in descending order, as
     *     from a placer that fills the nodes with most free resources first
     * @param atomicBatch samples that a replica computes at a time
     */
    StepTime at(List<Integer> replicasByNode, int atomicBatch) {
        List<Integer> descending = new ArrayList<>(replicasByNode);
        descending.sort(Comparator.reverseOrder());
        return known.computeIfAbsent(new Key(List.copyOf(descending), atomicBatch), this::lookUp);
    }

    private StepTime lookUp(Key key) {
        NavigableMap<Integer, StepTime> byBatch = byPlacement.get(rotation(key.replicasByNode()));
        if (byBatch != null) {
            return between(byBatch, key.batch());
        }
        int nodes = Math.min(mostNodes, key.replicasByNode().size());
        int replicas = key.replicasByNode().stream().mapToInt(Integer::intValue).sum();
        double[] seconds = elsewhere.at(new GridPoint(nodes, replicas, key.batch()));
        return new StepTime(seconds[0], seconds[1]);
    }

    private static StepTime between(NavigableMap<Integer, StepTime> byBatch, int batch) {
        Map.Entry<Integer, StepTime> below = byBatch.floorEntry(batch);
        Map.Entry<Integer, StepTime> above = byBatch.ceilingEntry(batch);
        if (below == null || above == null) {
            return (below == null ? byBatch.firstEntry() : byBatch.lastEntry()).getValue();
        }
        int width = above.getKey() - below.getKey();
        double part = width == 0 ? 0 : (double) (batch - below.getKey()) / width;
        StepTime one = below.getValue();
        StepTime other = above.getValue();
        return new StepTime(
                one.seconds() + part * (other.seconds() - one.seconds()),
                one.synchronizationSeconds() + part * (other.synchronizationSeconds() - one.synchronizationSeconds()));
    }

    /** Returns the replicas of each node when packed: the first nodes are filled, the others have at least one. */
    static List<Integer> packed(int nodes, int replicas, int workersPerNode) {
        List<Integer> byNode = new ArrayList<>();
        int left = replicas;
        for (int node = 1; node <= nodes; node++) {
            int others = nodes - node;
            int here = others == 0 ? left : Math.min(workersPerNode, left - others);
            byNode.add(here);
            left -= here;
        }
        return byNode;
    }

    /**
     * Returns the placements of {@code replicas} whose step times may differ: packed on each number of nodes, and those
     * that were measured.
     */
    List<List<Integer>> placements(int replicas, int workersPerNode) {
        List<List<Integer>> placements = new ArrayList<>();
        int fewest = (replicas + workersPerNode - 1) / workersPerNode;
        for (int nodes = fewest; nodes <= Math.max(fewest, Math.min(replicas, mostNodes)); nodes++) {
            placements.add(packed(nodes, replicas, workersPerNode));
        }
        byPlacement.keySet().stream()
                .filter(measured ->
                        measured.stream().mapToInt(Integer::intValue).sum() == replicas)
                .filter(measured -> measured.stream().allMatch(here -> here <= workersPerNode))
                .sorted(StepTimes::compare)
                .forEach(placements::add);
        return placements;
    }

    /** Collects measurements by (nodes, replicas, batch); repeated ones are averaged. */
    static final class Means {
        /**
         * Nodes and batches ascending, replicas descending. Measurements are on grids, whose triangulation is not
         * unique. Of the orders of the axes, this one comes nearest to SciPy, with which the published figures were
         * made.
         */
        private static final Comparator<GridPoint> ORDER = Comparator.comparingInt(GridPoint::x)
                .thenComparing(GridPoint::y, Comparator.reverseOrder())
                .thenComparingInt(GridPoint::z);

        private final NavigableMap<GridPoint, double[]> sums = new TreeMap<>(ORDER);
        private int mostNodes;
        private int mostReplicas;

        void add(int nodes, int replicas, int batch, StepTime time) {
            double[] sum = sums.computeIfAbsent(new GridPoint(nodes, replicas, batch), point -> new double[3]);
            sum[0] += time.seconds();
            sum[1] += time.synchronizationSeconds();
            sum[2]++;
            mostNodes = Math.max(mostNodes, nodes);
            mostReplicas = Math.max(mostReplicas, replicas);
        }

        boolean isEnough() {
            return LinearInterpolation.isPossible(sums.keySet());
        }

        int mostNodes() {
            return mostNodes;
        }

        int mostReplicas() {
            return mostReplicas;
        }

        LinearInterpolation interpolation() {
            NavigableMap<GridPoint, double[]> means = new TreeMap<>(ORDER);
            sums.forEach((point, sum) -> means.put(point, new double[] {sum[0] / sum[2], sum[1] / sum[2]}));
            return new LinearInterpolation(means);
        }
    }
}
