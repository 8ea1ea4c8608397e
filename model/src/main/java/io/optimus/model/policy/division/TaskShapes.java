package io.optimus.model.policy.division;

import io.optimus.model.cluster.NodeRoom;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts how many more tasks of each shape the nodes can host, node by node: four nodes with 4 GPUs host four tasks of 3 GPUs,
 * not five. A task also counts against every shape that is not larger. Tasks that fail this test cannot be placed. Those that
 * pass may still fail, which the placer finds out.
 */
final class TaskShapes {
    private final Map<Resources, Integer> indices = new HashMap<>();
    private final List<long[]> tasks = new ArrayList<>();
    private final long[] left;
    private final int[][] notLarger;

    TaskShapes(NodeRoom nodeRoom, ResourceAxes axes, List<Resources> shapes) {
        for (Resources shape : shapes) {
            if (indices.putIfAbsent(shape, tasks.size()) == null) {
                tasks.add(axes.amounts(shape));
            }
        }
        this.left = new long[tasks.size()];
        indices.forEach((shape, index) -> left[index] = nodeRoom.of(shape).onAllNodes());
        this.notLarger = new int[tasks.size()][];
        for (int shape = 0; shape < tasks.size(); shape++) {
            notLarger[shape] = notLarger(shape);
        }
    }

    int index(Resources shape) {
        return indices.getOrDefault(shape, -1);
    }

    boolean hosts(int shape, int more) {
        for (int other : notLarger[shape]) {
            if (left[other] < more) {
                return false;
            }
        }
        return true;
    }

    void take(int shape, int count) {
        for (int other : notLarger[shape]) {
            left[other] -= count;
        }
    }

    private int[] notLarger(int shape) {
        List<Integer> found = new ArrayList<>();
        for (int other = 0; other < tasks.size(); other++) {
            if (ResourceAxes.fits(tasks.get(other), tasks.get(shape))) {
                found.add(other);
            }
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }
}
