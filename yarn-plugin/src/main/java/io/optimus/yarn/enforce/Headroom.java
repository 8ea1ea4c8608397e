package io.optimus.yarn.enforce;

import io.optimus.model.cluster.Resources;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The containers that one application may still be granted now: its ceiling less what it holds, and no more than fits
 * on each node. YARN would reserve the node for a request that does not fit, and block it for all applications.
 *
 * <p>Example: the ceiling is 3 workers of one GPU on n1, one is held, and 4 GPUs are free on n1. Two containers of a
 * request for 5 on n1 are admitted, and none of the next request. If only one GPU is free, one container is admitted.
 */
final class Headroom {
    private final Map<Integer, SortedMap<String, Integer>> tasks = new TreeMap<>();
    private final Map<Integer, Resources> largest = new TreeMap<>();
    private final Map<String, Resources> free = new TreeMap<>();
    private final Map<Integer, Integer> counted = new TreeMap<>();

    /**
     * An ApplicationMaster's request at one request key (priority and request id).
     *
     * @param priority YARN priority, which stands for the role
     * @param task size of one container
     * @param byNode containers by the name of a node in resource requests
     * @param total most containers in sum
     * @param anywhere whether containers without a named node, or without room on theirs, may be on any other node
     */
    record Request(int priority, Resources task, SortedMap<String, Integer> byNode, int total, boolean anywhere) {
        Request {
            byNode = Collections.unmodifiableSortedMap(new TreeMap<>(byNode));
        }
    }

    /** Allows {@code count} more containers of at most {@code task} on {@code node}. */
    void allow(int priority, Resources task, String node, int count) {
        largest.put(priority, task);
        tasks.computeIfAbsent(priority, p -> new TreeMap<>()).merge(node, count, Integer::sum);
    }

    /** Subtracts one container that is held. */
    void hold(int priority, String node) {
        tasks.computeIfAbsent(priority, p -> new TreeMap<>()).merge(node, -1, Integer::sum);
        counted.merge(priority, 1, Integer::sum);
    }

    /** The containers at {@code priority} that are held or were admitted. */
    int counted(int priority) {
        return counted.getOrDefault(priority, 0);
    }

    /** Adds capacity that is free on {@code node}. */
    void free(String node, Resources resources) {
        free.merge(node, resources, Resources::plus);
    }

    /** Returns how many containers of {@code request} fit, by node, without zeros; subtracts them from the headroom. */
    SortedMap<String, Integer> admit(Request request) {
        SortedMap<String, Integer> admitted = new TreeMap<>();
        Resources limit = largest.get(request.priority());
        if (limit == null || !request.task().fitsIn(limit)) {
            return admitted;
        }
        int left = Math.max(0, request.total());
        for (Map.Entry<String, Integer> node : request.byNode().entrySet()) {
            left -= admit(request, node.getKey(), Math.min(left, node.getValue()), admitted);
        }
        if (request.anywhere()) {
            for (String node :
                    tasks.getOrDefault(request.priority(), new TreeMap<>()).keySet()) {
                left -= admit(request, node, left, admitted);
            }
        }
        return admitted;
    }

    private int admit(Request request, String node, int atMost, SortedMap<String, Integer> admitted) {
        SortedMap<String, Integer> ofRole = tasks.getOrDefault(request.priority(), new TreeMap<>());
        int planned = Math.min(atMost, ofRole.getOrDefault(node, 0));
        if (planned <= 0) {
            return 0;
        }
        Resources freeHere = free.getOrDefault(node, Resources.NONE);
        int count = Math.toIntExact(request.task().timesIn(freeHere, planned));
        if (count > 0) {
            free.put(node, freeHere.minus(request.task().times(count)));
            ofRole.merge(node, -count, Integer::sum);
            admitted.merge(node, count, Integer::sum);
            counted.merge(request.priority(), count, Integer::sum);
        }
        return count;
    }
}
