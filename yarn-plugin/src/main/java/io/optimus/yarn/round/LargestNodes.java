package io.optimus.yarn.round;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.RoleDemand;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The sizes of the nodes of each queue: thousands of nodes have few sizes. */
final class LargestNodes {
    private final Map<String, Set<Resources>> sizes = new HashMap<>();

    LargestNodes(ClusterView view) {
        for (QueueView queue : view.queues()) {
            Set<Resources> ofQueue = sizes.computeIfAbsent(queue.queue(), path -> new LinkedHashSet<>());
            queue.cluster().nodes().forEach(node -> ofQueue.add(node.capacity()));
        }
    }

    /** The workers of {@code job} that the largest node of its queue holds; at least 1. */
    int workers(JobView job) {
        RoleDemand workers = job.registration().demand().workers();
        long most = 1;
        for (Resources size : sizes.getOrDefault(job.facts().queue(), Set.of())) {
            most = Math.max(most, workers.task().timesIn(size, workers.max()));
        }
        return (int) most;
    }
}
