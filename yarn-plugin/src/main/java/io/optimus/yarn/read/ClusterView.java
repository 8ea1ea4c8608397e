package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The live scheduler as a round sees it: copied once, never changing.
 *
 * @param queues leaf queues (and partitions) that have training applications, in the order of queue and partition;
 *     applications that the scheduler does not know (any more) are in none of them
 * @param free what nobody holds, and no ordinary application has reserved, by id of each node that is usable. Less than
 *     what is available and not held: what a task gave back is not free before its node has seen it end
 */
public record ClusterView(List<QueueView> queues, SortedMap<String, Resources> free) {
    /** Copies. */
    public ClusterView {
        queues = List.copyOf(queues);
        free = Collections.unmodifiableSortedMap(new TreeMap<>(free));
    }

    /** What each training application has, by id. */
    public SortedMap<ApplicationId, ApplicationUsage> usages() {
        SortedMap<ApplicationId, ApplicationUsage> usages = new TreeMap<>();
        queues.forEach(queue ->
                queue.usages().forEach(usage -> usages.put(usage.application().id(), usage)));
        return usages;
    }
}
