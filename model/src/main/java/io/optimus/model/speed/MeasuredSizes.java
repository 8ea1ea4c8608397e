package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;

/** The measured sizes of a job, each with its speed, in order of allocations, then of nodes. Immutable. */
public record MeasuredSizes(List<MeasuredSize> sizes) {
    /** The sizes of a job that was not measured yet. */
    public static final MeasuredSizes NONE = new MeasuredSizes(List.of());

    /** Sorts the sizes. */
    public MeasuredSizes {
        sizes = sizes.stream().sorted(MeasuredSize.ORDER).toList();
    }

    /** Sizes with exact and recent speeds, in steps per second, on one node each. */
    public static MeasuredSizes of(Map<Allocation, Double> stepsPerSecond) {
        return new MeasuredSizes(stepsPerSecond.entrySet().stream()
                .map(size -> new MeasuredSize(size.getKey(), 1, size.getValue(), 0, 1))
                .toList());
    }

    /** The same, with speeds that cannot be true cut to what is plausible: see {@link PlausibleSpeeds}. */
    public MeasuredSizes plausible() {
        return PlausibleSpeeds.of(this);
    }

    /** The sizes without their nodes. */
    public SortedSet<Allocation> allocations() {
        SortedSet<Allocation> allocations = new TreeSet<>();
        sizes.forEach(size -> allocations.add(size.allocation()));
        return Collections.unmodifiableSortedSet(allocations);
    }

    public boolean isEmpty() {
        return sizes.isEmpty();
    }

    /** The steps per second of {@code allocation}, on the number of nodes that was measured last; empty if it never ran. */
    public OptionalDouble stepsPerSecond(Allocation allocation) {
        return sizes.stream()
                .filter(size -> size.allocation().equals(allocation))
                .max((a, b) -> Double.compare(a.weight(), b.weight()))
                .map(size -> OptionalDouble.of(size.stepsPerSecond()))
                .orElseGet(OptionalDouble::empty);
    }

    /** Whether sizes on one node and sizes on several nodes were measured. */
    boolean tellPlacement() {
        Collection<Integer> nodes =
                sizes.stream().map(MeasuredSize::nodes).distinct().toList();
        return nodes.contains(1) && nodes.size() > 1;
    }

    /** The largest number of tasks a node, averaged over the nodes of a size; 1 or more. */
    int densestTasksPerNode() {
        return sizes.stream()
                .mapToInt(size -> nodesFor(size.allocation().tasks(), size.nodes()))
                .max()
                .orElse(1);
    }

    /** The number of nodes for {@code tasks} tasks, {@code each} on a node. */
    static int nodesFor(int tasks, int each) {
        return tasks / each + (tasks % each == 0 ? 0 : 1);
    }
}
