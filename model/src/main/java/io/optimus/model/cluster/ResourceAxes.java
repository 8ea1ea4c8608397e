package io.optimus.model.cluster;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Names of resources in a fixed order. They turn amounts into arrays, which are added and compared a million times. Every
 * resource that is asked for or offered has to be among the names.
 */
public final class ResourceAxes {
    private final List<String> names;

    private ResourceAxes(Set<String> names) {
        this.names = names.stream().sorted().toList();
    }

    /** The names of a cluster's resources and of everything in {@code asked}. */
    public static ResourceAxes of(ClusterSnapshot cluster, Stream<Resources> asked) {
        Set<String> names = new HashSet<>();
        addNames(cluster.budget(), names);
        for (NodeSnapshot node : cluster.nodes()) {
            addNames(node.capacity(), names);
            addNames(node.available(), names);
        }
        asked.forEach(resources -> addNames(resources, names));
        return new ResourceAxes(names);
    }

    private static void addNames(Resources resources, Set<String> names) {
        for (int i = 0; i < resources.size(); i++) {
            names.add(resources.name(i));
        }
    }

    /** How many names there are. */
    public int size() {
        return names.size();
    }

    /** The name at {@code axis}. */
    public String name(int axis) {
        return names.get(axis);
    }

    /** The index of {@code name}; throws if it is not among the names. */
    public int axis(String name) {
        int axis = names.indexOf(name);
        if (axis < 0) {
            throw new IllegalArgumentException("No resource " + name + " among " + names);
        }
        return axis;
    }

    /** Amounts in the order of the names. */
    public long[] amounts(Resources resources) {
        long[] amounts = new long[names.size()];
        for (int i = 0; i < resources.size(); i++) {
            amounts[axis(resources.name(i))] = resources.value(i);
        }
        return amounts;
    }

    /** Whether {@code asked} fits into {@code room}; resources that are not asked for do not matter. */
    public static boolean fits(long[] asked, long[] room) {
        return lacking(asked, room) < 0;
    }

    /** The first axis on which {@code asked} exceeds {@code room}; -1 if it fits. */
    public static int lacking(long[] asked, long[] room) {
        for (int axis = 0; axis < asked.length; axis++) {
            if (asked[axis] > 0 && asked[axis] > room[axis]) {
                return axis;
            }
        }
        return -1;
    }

    /** How many times {@code asked} fits into {@code room}, at most {@code limit}. */
    public static long times(long[] asked, long[] room, long limit) {
        long count = limit;
        for (int axis = 0; axis < asked.length; axis++) {
            if (asked[axis] > 0) {
                count = Math.min(count, Math.max(0, room[axis]) / asked[axis]);
            }
        }
        return count;
    }

    /** Subtracts {@code asked} {@code count} times from {@code room}; a negative count gives back. */
    public static void take(long[] asked, long count, long[] room) {
        for (int axis = 0; axis < asked.length; axis++) {
            room[axis] = Math.subtractExact(room[axis], Math.multiplyExact(asked[axis], count));
        }
    }
}
