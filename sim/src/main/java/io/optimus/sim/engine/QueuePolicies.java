package io.optimus.sim.engine;

import io.optimus.model.plan.NamedStrategy;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The policy of each queue.
 *
 * @param name name in reports
 * @param byDefault policy of all other queues; what it may know of jobs holds for all queues
 * @param byQueue policy by path of the queue
 */
public record QueuePolicies(String name, NamedStrategy byDefault, SortedMap<String, NamedStrategy> byQueue) {
    public QueuePolicies {
        byQueue = Collections.unmodifiableSortedMap(new TreeMap<>(byQueue));
    }

    /** One policy for all queues, under its own name. */
    public static QueuePolicies of(NamedStrategy policy) {
        return new QueuePolicies(policy.name(), policy, new TreeMap<>());
    }

    NamedStrategy of(String queue) {
        return byQueue.getOrDefault(queue, byDefault);
    }
}
