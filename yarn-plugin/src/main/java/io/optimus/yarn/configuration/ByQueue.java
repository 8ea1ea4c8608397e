package io.optimus.yarn.configuration;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A setting that queues may have of their own. A queue without one has that of the nearest queue above it, as with
 * CapacityScheduler's own keys for access and preemption.
 *
 * @param everywhere value where neither a queue nor one above it has its own
 * @param own values by path of the queue
 */
public record ByQueue<T>(T everywhere, SortedMap<String, T> own) {
    public ByQueue {
        own = Collections.unmodifiableSortedMap(new TreeMap<>(own));
    }

    /** The value of the queue with this path. */
    public T of(String queuePath) {
        for (String path = queuePath; !path.isEmpty(); path = path.substring(0, Math.max(0, path.lastIndexOf('.')))) {
            T value = own.get(path);
            if (value != null) {
                return value;
            }
        }
        return everywhere;
    }
}
