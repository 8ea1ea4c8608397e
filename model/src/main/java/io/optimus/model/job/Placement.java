package io.optimus.model.job;

import io.optimus.model.Allocation;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The tasks of a job by node. Immutable; two placements are equal if they have the same tasks on the same nodes. */
public final class Placement {
    /** No task anywhere. */
    public static final Placement NONE = new Placement(new TreeMap<>());

    private final SortedMap<String, Allocation> byNode;
    /** Jobs are compared by it often, so it is added up once. */
    private final Allocation allocation;

    private Placement(SortedMap<String, Allocation> owned) {
        owned.values().removeIf(Allocation::isNone);
        Allocation sum = Allocation.NONE;
        for (Allocation tasks : owned.values()) {
            sum = sum.plus(tasks);
        }
        this.byNode = Collections.unmodifiableSortedMap(owned);
        this.allocation = sum;
    }

    /** The placement of tasks by node id; nodes without tasks are dropped. */
    public static Placement of(Map<String, Allocation> byNode) {
        return new Placement(new TreeMap<>(byNode));
    }

    /** Tasks by node id, without nodes that have none. */
    public SortedMap<String, Allocation> byNode() {
        return byNode;
    }

    public Allocation on(String node) {
        return byNode.getOrDefault(node, Allocation.NONE);
    }

    /** The same placement without the tasks on nodes other than {@code these}. */
    public Placement within(Predicate<String> these) {
        if (byNode.keySet().stream().allMatch(these)) {
            return this;
        }
        SortedMap<String, Allocation> within = new TreeMap<>(byNode);
        within.keySet().removeIf(these.negate());
        return new Placement(within);
    }

    /** Up to {@code most} of these tasks: those on the nodes with most tasks first, as placers keep them. */
    public Placement largest(Allocation most) {
        SortedMap<String, Allocation> largest = new TreeMap<>();
        Allocation left = most;
        List<Map.Entry<String, Allocation>> fullestFirst = byNode.entrySet().stream()
                .sorted(Comparator.comparingInt(node -> -node.getValue().tasks()))
                .toList();
        for (Map.Entry<String, Allocation> node : fullestFirst) {
            Allocation here = node.getValue().min(left);
            left = left.beyond(here);
            largest.put(node.getKey(), here);
        }
        return new Placement(largest);
    }

    /** Tasks on all nodes. */
    public Allocation allocation() {
        return allocation;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Placement placement && byNode.equals(placement.byNode);
    }

    @Override
    public int hashCode() {
        return byNode.hashCode();
    }

    @Override
    public String toString() {
        return byNode.toString();
    }
}
