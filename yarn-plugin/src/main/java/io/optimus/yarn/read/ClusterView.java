package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * An immutable copy of the live scheduler, for one round.
 *
 * @param queues leaf queues (and partitions) that have training applications, in the order of queue and partition; they
 *     do not contain applications that the scheduler does not know (any more)
 * @param free resources of each usable node, by its id: neither held nor reserved by an ordinary application. A
 *     released container counts as free only after its node has reported its end
 */
public record ClusterView(List<QueueView> queues, SortedMap<String, Resources> free) {
    public ClusterView {
        queues = List.copyOf(queues);
        free = Collections.unmodifiableSortedMap(new TreeMap<>(free));
    }

    /** What each training application holds, by id. */
    public SortedMap<ApplicationId, ApplicationUsage> usages() {
        SortedMap<ApplicationId, ApplicationUsage> usages = new TreeMap<>();
        queues.forEach(queue ->
                queue.usages().forEach(usage -> usages.put(usage.application().id(), usage)));
        return usages;
    }
}
