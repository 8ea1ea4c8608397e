package io.optimus.sim.engine;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a simulation runs on.
 *
 * @param nodes of the cluster; their ids are unique
 * @param gpuTypes how fast the types of GPUs are that nodes name
 * @param intervalSeconds between two rounds, above 0; rounds are at multiples of it
 * @param roundsOnNews whether there is also a round whenever jobs arrive or end, or a speed was measured where it had
 *     not been before, as in the ResourceManager; there is always one when a node is lost or comes back
 * @param pause of resizes
 * @param faults what goes wrong
 */
public record SimulationSetup(
        List<NodeSnapshot> nodes,
        GpuTypes gpuTypes,
        double intervalSeconds,
        boolean roundsOnNews,
        ResizePause pause,
        Faults faults) {
    /** Copies. */
    public SimulationSetup {
        nodes = List.copyOf(nodes);
        if (!(intervalSeconds > 0 && intervalSeconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("Rounds are more than 0 s apart, got " + intervalSeconds);
        }
    }

    /** With GPUs that are all equally fast. */
    public SimulationSetup(
            List<NodeSnapshot> nodes, double intervalSeconds, boolean roundsOnNews, ResizePause pause, Faults faults) {
        this(nodes, GpuTypes.ALIKE, intervalSeconds, roundsOnNews, pause, faults);
    }

    /** Equal nodes {@code n000}, {@code n001}, … */
    public static List<NodeSnapshot> nodes(int count, Resources capacity) {
        return nodes(Collections.nCopies(count, ""), capacity);
    }

    /** Nodes {@code n000}, {@code n001}, … that are equal but for the types of their GPUs. */
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

    /** Of all nodes. */
    public Resources capacity() {
        return nodes.stream().map(NodeSnapshot::capacity).reduce(Resources.NONE, Resources::plus);
    }

    /** Of the fastest GPUs that there are. */
    public double fastestGpus() {
        return nodes.stream()
                .mapToDouble(node -> gpuTypes.speed(node.gpuType()))
                .max()
                .orElse(1);
    }

    /** How fast GPUs are in the mean over the nodes. */
    double meanGpus() {
        return nodes.stream()
                .mapToDouble(node -> gpuTypes.speed(node.gpuType()))
                .average()
                .orElse(1);
    }
}
