package io.optimus.model.cluster;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Names of resources in a fixed order, so that amounts become arrays where they are added and compared a million times.
 * Everything that is asked for or offered has to be among the names.
 */
public final class ResourceAxes {
    private final List<String> names;

    private ResourceAxes(SortedSet<String> names) {
        this.names = List.copyOf(names);
    }

    /** The names of a cluster's resources and of everything in {@code asked}. */
    public static ResourceAxes of(ClusterSnapshot cluster, Stream<Resources> asked) {
        TreeSet<String> names = new TreeSet<>(cluster.budget().amounts().keySet());
        for (NodeSnapshot node : cluster.nodes()) {
            names.addAll(node.capacity().amounts().keySet());
            names.addAll(node.available().amounts().keySet());
        }
        asked.forEach(resources -> names.addAll(resources.amounts().keySet()));
        return new ResourceAxes(names);
    }

    /** How many names there are. */
    public int size() {
        return names.size();
    }

    /** The name at {@code axis}. */
    public String name(int axis) {
        return names.get(axis);
    }

    /** Amounts in the order of the names. */
    public long[] amounts(Resources resources) {
        long[] amounts = new long[names.size()];
        for (Map.Entry<String, Long> amount : resources.amounts().entrySet()) {
            int axis = names.indexOf(amount.getKey());
            if (axis < 0) {
                throw new IllegalArgumentException("No axis for " + amount.getKey() + " among " + names);
            }
            amounts[axis] = amount.getValue();
        }
        return amounts;
    }

    /** Whether {@code asked} has place in {@code room}; what is not asked for does not matter. */
    public static boolean fits(long[] asked, long[] room) {
        return lacking(asked, room) < 0;
    }

    /** The first axis of which {@code asked} wants more than there is in {@code room}, -1 where it fits. */
    public static int lacking(long[] asked, long[] room) {
        for (int axis = 0; axis < asked.length; axis++) {
            if (asked[axis] > 0 && asked[axis] > room[axis]) {
                return axis;
            }
        }
        return -1;
    }

    /** How many times {@code asked} has place in {@code room}, at most {@code limit}. */
    public static long times(long[] asked, long[] room, long limit) {
        long count = limit;
        for (int axis = 0; axis < asked.length; axis++) {
            if (asked[axis] > 0) {
                count = Math.min(count, Math.max(0, room[axis]) / asked[axis]);
            }
        }
        return count;
    }

    /** Takes {@code asked}, {@code count} times (negative: gives back), off {@code room}. */
    public static void take(long[] asked, long count, long[] room) {
        for (int axis = 0; axis < asked.length; axis++) {
            room[axis] = Math.subtractExact(room[axis], Math.multiplyExact(asked[axis], count));
        }
    }
}
