package io.optimus.model.placement;

import io.optimus.model.Allocation;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where a job's tasks are: how many of each role on which node.
 *
 * @param byNode tasks by node id, without nodes that have none
 */
public record Placement(SortedMap<String, Allocation> byNode) {
    /** No task anywhere. */
    public static final Placement NONE = new Placement(new TreeMap<>());

    /** Copies, dropping nodes without tasks. */
    public Placement {
        TreeMap<String, Allocation> copy = new TreeMap<>(byNode);
        copy.values().removeIf(Allocation::isNone);
        byNode = Collections.unmodifiableSortedMap(copy);
    }

    /** Of tasks by node id. */
    public static Placement of(Map<String, Allocation> byNode) {
        return new Placement(new TreeMap<>(byNode));
    }

    /** Tasks on {@code node}. */
    public Allocation on(String node) {
        return byNode.getOrDefault(node, Allocation.NONE);
    }

    /** Tasks on all nodes. */
    public Allocation allocation() {
        return byNode.values().stream().reduce(Allocation.NONE, Allocation::plus);
    }
}
