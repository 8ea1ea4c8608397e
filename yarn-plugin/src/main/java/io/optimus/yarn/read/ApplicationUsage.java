package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * What one training application has of the scheduler; its ApplicationMaster's container counts nowhere here.
 *
 * @param application as it registered
 * @param attempt current attempt
 * @param user who submitted it
 * @param live tasks by node: containers that are allocated, acquired or running, and no larger than their role's tasks
 * @param reserved tasks for which a node is reserved
 * @param pending tasks that are asked for on a node and not granted yet, those reserved among them
 * @param containers the live containers, oldest first, also those that are no role's task: by their priority or their size
 * @param waitsForMaster whether its ApplicationMaster has no container yet; tasks of an earlier attempt are then left out
 *     here, and count as an ordinary application's
 * @param avoidedNodes ids of nodes that the application blacklists
 */
public record ApplicationUsage(
        TrainingApplication application,
        ApplicationAttemptId attempt,
        String user,
        Placement live,
        Placement reserved,
        Placement pending,
        List<TrainingContainer> containers,
        boolean waitsForMaster,
        SortedSet<String> avoidedNodes) {
    /** Copies. */
    public ApplicationUsage {
        containers = List.copyOf(containers);
        avoidedNodes = Collections.unmodifiableSortedSet(new TreeSet<>(avoidedNodes));
    }

    /** What the live containers on {@code nodes} take. */
    public Resources on(Set<String> nodes) {
        return containers.stream()
                .filter(container -> nodes.contains(container.node()))
                .map(TrainingContainer::resources)
                .reduce(Resources.NONE, Resources::plus);
    }
}
