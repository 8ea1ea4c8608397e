package io.optimus.sim.engine;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * What a simulation runs on.
 *
 * @param nodes of the cluster; their ids are unique
 * @param intervalSeconds between two rounds, above 0; rounds are at multiples of it
 * @param roundsOnNews whether there is also a round whenever jobs arrive or end, as in the ResourceManager; there is
 *     always one when a node is lost or comes back
 * @param pause of resizes
 * @param faults what goes wrong
 */
public record Setup(
        List<NodeSnapshot> nodes, double intervalSeconds, boolean roundsOnNews, ResizePause pause, Faults faults) {
    /** Copies. */
    public Setup {
        nodes = List.copyOf(nodes);
        if (!(intervalSeconds > 0 && intervalSeconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("Rounds are more than 0 s apart, got " + intervalSeconds);
        }
    }

    /** Equal nodes {@code n000}, {@code n001}, … */
    public static List<NodeSnapshot> nodes(int count, Resources capacity) {
        List<NodeSnapshot> nodes = new ArrayList<>();
        int digits = Math.max(3, Integer.toString(count - 1).length());
        for (int i = 0; i < count; i++) {
            String number = Integer.toString(i);
            nodes.add(new NodeSnapshot("n" + "0".repeat(digits - number.length()) + number, capacity, capacity));
        }
        return nodes;
    }
}
