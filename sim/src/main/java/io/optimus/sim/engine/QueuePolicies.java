package io.optimus.sim.engine;

import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.Strategy;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

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

    /** The strategies of one run, each made when its queue is first planned: some have memory. */
    Function<String, Strategy> strategies(long seed) {
        Map<String, Strategy> made = new HashMap<>();
        return queue -> made.computeIfAbsent(queue, path -> of(path).bySeed().apply(Seeds.of(seed, "strategy")));
    }

    NamedStrategy of(String queue) {
        return byQueue.getOrDefault(queue, byDefault);
    }
}
