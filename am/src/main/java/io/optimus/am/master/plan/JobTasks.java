package io.optimus.am.master.plan;

import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All tasks whose containers the job holds, including released ones until YARN confirms their end. */
final class JobTasks {
    /** Far more tasks than one attempt starts, replacements included. */
    private static final int INDICES_PER_ATTEMPT = 1_000_000;

    private final Map<String, JobTask> byContainer = new TreeMap<>();
    private final Map<Role, Integer> next = new EnumMap<>(Role.class);
    private final int firstIndex;
    private final LongSupplier clock;
    private int count;

    /**
     * No tasks yet.
     *
     * @param attempt number of the attempt, from 1; keeps its tasks' indices apart from those of earlier attempts
     * @param clock milliseconds since any moment
     */
    JobTasks(int attempt, LongSupplier clock) {
        this.firstIndex = (attempt - 1) * INDICES_PER_ATTEMPT;
        this.clock = clock;
    }

    /** Adds a task in {@code container}. */
    JobTask add(TaskContainer container) {
        int index = next.merge(container.role(), firstIndex + 1, (last, first) -> last + 1) - 1;
        JobTask task = new JobTask(new TaskId(container.role(), index), count++, container, clock);
        byContainer.put(container.id(), task);
        return task;
    }

    /** Adds a task of an earlier attempt, which runs in {@code container}. */
    void adopt(TaskId id, TaskContainer container) {
        JobTask task = new JobTask(id, count++, container, clock);
        task.wasReadyBefore();
        byContainer.put(container.id(), task);
    }

    /** Removes the task of a container that ended. */
    Optional<JobTask> remove(String container) {
        return Optional.ofNullable(byContainer.remove(container));
    }

    /** Forgets tasks that were released longer ago than {@code limit}. */
    void forgetReleased(Duration limit) {
        byContainer.values().removeIf(task -> task.phase() == JobTask.Phase.RELEASED && task.isOlderThan(limit));
    }

    Optional<JobTask> inContainer(String container) {
        return Optional.ofNullable(byContainer.get(container));
    }

    Optional<JobTask> named(TaskId id) {
        return all().filter(task -> task.id().equals(id)).findFirst();
    }

    /** Returns all tasks, oldest first. */
    Stream<JobTask> all() {
        return byContainer.values().stream().sorted(Comparator.comparingInt(JobTask::number));
    }

    /** Returns a copy of the tasks in {@code phase}, oldest first. */
    List<JobTask> in(JobTask.Phase phase) {
        return all().filter(task -> task.phase() == phase).toList();
    }

    /** Tasks that stay, by role and node; oldest first. */
    SortedMap<RoleOnNode, List<JobTask>> staying(Directive directive) {
        SortedMap<RoleOnNode, List<JobTask>> tasks = new TreeMap<>();
        all().filter(JobTask::stays)
                .forEach(task -> tasks.computeIfAbsent(directive.keyOf(task.container()), key -> new ArrayList<>())
                        .add(task));
        return tasks;
    }

    /** Number of containers that count against the plan's ceiling: all until YARN confirms their end. */
    int held(Directive directive, RoleOnNode key) {
        return (int) all().filter(task -> directive.keyOf(task.container()).equals(key))
                .count();
    }

    /** Number of matching tasks by role. */
    Allocation count(Predicate<JobTask> which) {
        return all().filter(which).reduce(Allocation.NONE, (sum, task) -> sum.plus(task.role(), 1), Allocation::plus);
    }

    /** All tasks as the page and the scheduler see them. A member stays by the plan and steps in the training. */
    List<TaskView> views(CoordinatorStatus status) {
        return all().map(task -> view(task, status.tasks().get(task.id()))).toList();
    }

    private static TaskView view(JobTask task, @Nullable TaskStatus connected) {
        boolean member = connected != null && connected.member() && task.phase() == JobTask.Phase.READY;
        String state = member ? "member" : task.phase().name().toLowerCase(Locale.ROOT);
        double rate = connected != null && member ? connected.stepsPerSecond() : 0;
        return new TaskView(task.id(), task.container(), state, rate);
    }
}
