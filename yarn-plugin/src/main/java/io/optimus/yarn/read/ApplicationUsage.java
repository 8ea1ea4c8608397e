package io.optimus.yarn.read;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The resources that one training application holds, without the container of its ApplicationMaster.
 *
 * @param application the application as it registered
 * @param user the user who submitted it
 * @param live tasks by node: containers that are allocated, acquired or running, and no larger than their role's tasks
 * @param containers the live containers, oldest first, including those that are no task by their priority or size
 * @param waitsForMaster whether its ApplicationMaster has no container yet; tasks of an earlier attempt are then left
 *     out here and count as those of an ordinary application
 * @param avoidedNodes ids of nodes that the application blacklists
 */
public record ApplicationUsage(
        TrainingApplication application,
        String user,
        Placement live,
        List<TrainingContainer> containers,
        boolean waitsForMaster,
        SortedSet<String> avoidedNodes) {
    public ApplicationUsage {
        containers = List.copyOf(containers);
        avoidedNodes = Collections.unmodifiableSortedSet(new TreeSet<>(avoidedNodes));
    }

    /**
     * Resources of the tasks that the job needs to go on, by node: its live tasks up to its minimum, those on the nodes with
     * most of its tasks first, as placers keep them.
     */
    SortedMap<String, Resources> needed() {
        SortedMap<String, Resources> needed = new TreeMap<>();
        neededTasks().forEach((node, tasks) -> needed.put(node, application.resources(tasks)));
        return needed;
    }

    /** The tasks on {@code node} that the job needs to go on. */
    Allocation neededOn(String node) {
        return neededTasks().getOrDefault(node, Allocation.NONE);
    }

    private SortedMap<String, Allocation> neededTasks() {
        SortedMap<String, Allocation> needed = new TreeMap<>();
        Allocation left = application.minimum();
        List<Map.Entry<String, Allocation>> fullestFirst = live.byNode().entrySet().stream()
                .sorted(Comparator.comparingInt(node -> -node.getValue().tasks()))
                .toList();
        for (Map.Entry<String, Allocation> node : fullestFirst) {
            Allocation here = node.getValue().min(left);
            left = left.beyond(here);
            needed.put(node.getKey(), here);
        }
        return needed;
    }

    /** Whether {@code tasks} of the job fit into what nodes have {@code free}, each role looked at alone. */
    boolean fits(Allocation tasks, List<Resources> free) {
        return application.roles().entrySet().stream().allMatch(role -> {
            long count = tasks.count(role.getKey());
            long room = free.stream()
                    .mapToLong(node -> role.getValue().task().timesIn(node, count))
                    .sum();
            return room >= count;
        });
    }

    /** Resources of the live containers on {@code nodes}. */
    public Resources on(Set<String> nodes) {
        return containers.stream()
                .filter(container -> nodes.contains(container.node()))
                .map(TrainingContainer::resources)
                .reduce(Resources.NONE, Resources::plus);
    }
}
