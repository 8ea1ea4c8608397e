package io.optimus.yarn.read;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import java.util.Collections;
import java.util.List;
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
 * @param waitsForMaster whether its ApplicationMaster has no container yet; tasks of an earlier attempt may go on
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

    /** The same without its containers on {@code node}. */
    ApplicationUsage without(String node) {
        return new ApplicationUsage(
                application,
                user,
                live.within(other -> !other.equals(node)),
                containers.stream()
                        .filter(container -> !container.node().equals(node))
                        .toList(),
                waitsForMaster,
                avoidedNodes);
    }

    /** Resources of all live containers. */
    Resources inAll() {
        return containers.stream().map(TrainingContainer::resources).reduce(Resources.NONE, Resources::plus);
    }

    /**
     * Resources of the tasks that the job keeps whoever waits, by node: all if it may not shrink, else those that it needs to go
     * on, which are its live tasks up to its minimum, those on the nodes with most of its tasks first.
     */
    SortedMap<String, Resources> needed() {
        SortedMap<String, Resources> needed = new TreeMap<>();
        neededTasks().byNode().forEach((node, tasks) -> needed.put(node, application.resources(tasks)));
        return needed;
    }

    /** Resources of all tasks that the job keeps whoever waits. */
    public Resources neededInAll() {
        return needed().values().stream().reduce(Resources.NONE, Resources::plus);
    }

    /** The tasks on {@code node} that the job keeps whoever waits. */
    Allocation neededOn(String node) {
        return neededTasks().on(node);
    }

    private Placement neededTasks() {
        return application.mayShrink() ? live.largest(application.minimum()) : live;
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
