package io.optimus.yarn.enforce;

import io.optimus.model.cluster.Resources;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many more containers one application may be given: what its ceiling leaves beside what it holds, and no more than
 * fits on each node now, for an ask that does not fit would be reserved there and block the node for all.
 *
 * <p>Example: ceiling 3 workers of one GPU on n1, one held, 4 GPUs free on n1: of an ask for 5 on n1 two are admitted,
 * of the next ask none. With one GPU free, one is.
 */
public final class Headroom {
    private final Map<Integer, SortedMap<String, Integer>> tasks = new TreeMap<>();
    private final Map<Integer, Resources> largest = new TreeMap<>();
    private final Map<String, Resources> free = new TreeMap<>();

    /** Lets {@code count} more containers of at most {@code task} onto {@code node}. */
    public void allow(int priority, Resources task, String node, int count) {
        largest.put(priority, task);
        tasks.computeIfAbsent(priority, p -> new TreeMap<>()).merge(node, count, Integer::sum);
    }

    /** Takes one that is held off the room. */
    public void hold(int priority, String node) {
        tasks.computeIfAbsent(priority, p -> new TreeMap<>()).merge(node, -1, Integer::sum);
    }

    /** Adds capacity that is free on {@code node}. */
    public void free(String node, Resources resources) {
        free.merge(node, resources, Resources::plus);
    }

    /** How many of {@code wanted} there is room for, by node, without zeros; takes them off the room. */
    public SortedMap<String, Integer> admit(RequestedTasks wanted) {
        SortedMap<String, Integer> admitted = new TreeMap<>();
        Resources limit = largest.get(wanted.priority());
        if (limit == null || !wanted.task().fitsIn(limit)) {
            return admitted;
        }
        int left = Math.max(0, wanted.total());
        for (Map.Entry<String, Integer> node : wanted.byNode().entrySet()) {
            left -= admit(wanted, node.getKey(), Math.min(left, node.getValue()), admitted);
        }
        if (wanted.anywhere()) {
            for (String node :
                    tasks.getOrDefault(wanted.priority(), new TreeMap<>()).keySet()) {
                left -= admit(wanted, node, left, admitted);
            }
        }
        return admitted;
    }

    private int admit(RequestedTasks wanted, String node, int atMost, SortedMap<String, Integer> admitted) {
        SortedMap<String, Integer> ofRole = tasks.getOrDefault(wanted.priority(), new TreeMap<>());
        int planned = Math.min(atMost, ofRole.getOrDefault(node, 0));
        if (planned <= 0) {
            return 0;
        }
        Resources room = free.getOrDefault(node, Resources.NONE);
        int count = Math.toIntExact(wanted.task().timesIn(room, planned));
        if (count > 0) {
            free.put(node, room.minus(wanted.task().times(count)));
            ofRole.merge(node, -count, Integer::sum);
            admitted.merge(node, count, Integer::sum);
        }
        return count;
    }
}
