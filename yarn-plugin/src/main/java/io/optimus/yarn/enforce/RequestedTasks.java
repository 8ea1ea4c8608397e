package io.optimus.yarn.enforce;

import io.optimus.model.cluster.Resources;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an ApplicationMaster wants at one request key (priority and request id).
 *
 * @param priority YARN priority: the role
 * @param task one container
 * @param byNode containers by the name of a node in resource requests
 * @param total most containers in sum
 * @param anywhere whether what no node was named for, or had no room, may come from any other node
 */
public record RequestedTasks(
        int priority, Resources task, SortedMap<String, Integer> byNode, int total, boolean anywhere) {
    /** Copies. */
    public RequestedTasks {
        byNode = Collections.unmodifiableSortedMap(new TreeMap<>(byNode));
    }
}
