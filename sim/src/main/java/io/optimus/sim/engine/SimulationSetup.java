package io.optimus.sim.engine;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The cluster of a simulation, its rounds and its faults.
 *
 * @param nodes nodes of the cluster; their ids are unique
 * @param gpuTypes speed of each type of GPU
 * @param intervalSeconds time between two rounds, above 0; rounds are at multiples of it
 * @param roundsOnNews whether a round also starts when a job arrives, ends, or measures its speed on a size for the
 *     first time, as in the ResourceManager; a node that fails or returns always starts one
 * @param pause how long resizes take
 * @param faults the faults
 * @param changes changes of the cluster, in order of time
 */
public record SimulationSetup(
        List<NodeSnapshot> nodes,
        GpuTypes gpuTypes,
        double intervalSeconds,
        boolean roundsOnNews,
        ResizePause pause,
        Faults faults,
        List<ClusterChange> changes) {
    public SimulationSetup {
        nodes = List.copyOf(nodes);
        changes = List.copyOf(changes);
        if (!(intervalSeconds > 0 && intervalSeconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "The interval between rounds must be above 0 s and finite, got " + intervalSeconds);
        }
    }

    /** A cluster that changes by faults only. */
    public SimulationSetup(
            List<NodeSnapshot> nodes,
            GpuTypes gpuTypes,
            double intervalSeconds,
            boolean roundsOnNews,
            ResizePause pause,
            Faults faults) {
        this(nodes, gpuTypes, intervalSeconds, roundsOnNews, pause, faults, List.of());
    }

    /** A cluster whose GPUs are all equally fast. */
    public SimulationSetup(
            List<NodeSnapshot> nodes, double intervalSeconds, boolean roundsOnNews, ResizePause pause, Faults faults) {
        this(nodes, GpuTypes.ALIKE, intervalSeconds, roundsOnNews, pause, faults);
    }

    /** Equal nodes, named {@code n000}, {@code n001}, … */
    public static List<NodeSnapshot> nodes(int count, Resources capacity) {
        return nodes(Collections.nCopies(count, ""), capacity);
    }

    /** Nodes named {@code n000}, {@code n001}, … that are equal except for the types of their GPUs. */
    public static List<NodeSnapshot> nodes(List<String> gpuTypes, Resources capacity) {
        List<NodeSnapshot> nodes = new ArrayList<>();
        int digits = Math.max(3, Integer.toString(gpuTypes.size() - 1).length());
        for (int i = 0; i < gpuTypes.size(); i++) {
            String number = Integer.toString(i);
            String id = "n" + "0".repeat(digits - number.length()) + number;
            nodes.add(new NodeSnapshot(id, capacity, capacity, gpuTypes.get(i), ""));
        }
        return nodes;
    }

    public Resources capacity() {
        return nodes.stream().map(NodeSnapshot::capacity).reduce(Resources.NONE, Resources::plus);
    }

    public double fastestGpus() {
        return nodes.stream()
                .mapToDouble(node -> gpuTypes.speed(node.gpuType()))
                .max()
                .orElse(1);
    }

    /** The mean speed of GPUs over the nodes. */
    double meanGpus() {
        return nodes.stream()
                .mapToDouble(node -> gpuTypes.speed(node.gpuType()))
                .average()
                .orElse(1);
    }
}
