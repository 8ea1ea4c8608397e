package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A task as the page and the scheduler see it.
 *
 * @param id the task's name
 * @param container its container
 * @param state {@code starting}, {@code ready}, {@code member}, {@code leaving}, {@code silent} or {@code released}
 * @param stepsPerSecond the task's own rate; 0 unless it is a member
 */
public record TaskView(TaskId id, TaskContainer container, String state, double stepsPerSecond) {
    /** Whether it steps and stays. */
    public boolean member() {
        return state.equals("member");
    }

    /** Members by node. */
    public static SortedMap<String, Allocation> membersByNode(Collection<TaskView> tasks) {
        SortedMap<String, Allocation> byNode = new TreeMap<>();
        tasks.stream()
                .filter(TaskView::member)
                .forEach(task -> byNode.merge(
                        task.container().node(), Allocation.NONE.plus(task.id().role(), 1), Allocation::plus));
        return byNode;
    }
}
