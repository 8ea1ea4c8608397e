package io.optimus.am.master.plan;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.master.plan.JobTask.Phase;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.wire.TaskId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * How surplus tasks stop: a member is marked as leaving, leaves with the next resize and hands over what it holds; only
 * then its container is released. A marked task that was not asked to leave yet can still be kept.
 *
 * <p>The time to leave counts from when the coordinator was asked for a membership without the task. It is the leave
 * time-out, or the directive's grace time if that is longer. A task that is still a member while the training switches is
 * not late, since its parameters may be moving: the coordinator itself bounds that switch.
 */
final class TaskStops {
    /** Order in which surplus tasks of a node stop: those that have not connected, then the newest. */
    private static final Comparator<JobTask> FIRST_TO_STOP =
            Comparator.comparing(JobTask::phase).thenComparing(JobTask::number, Comparator.reverseOrder());

    private final Containers containers;
    private final Coordinator coordinator;
    private final JobTasks tasks;
    private final Duration leaveTimeout;
    private final LongSupplier clock;

    TaskStops(
            Containers containers, Coordinator coordinator, JobTasks tasks, Duration leaveTimeout, LongSupplier clock) {
        this.containers = containers;
        this.coordinator = coordinator;
        this.tasks = tasks;
        this.leaveTimeout = leaveTimeout;
        this.clock = clock;
    }

    /** Stops tasks beyond {@code target}. */
    void stopSurplus(Directive directive, SortedMap<RoleOnNode, Integer> target) {
        tasks.staying(directive).forEach((key, held) -> {
            int surplus = held.size() - target.getOrDefault(key, 0);
            held.stream().sorted(FIRST_TO_STOP).limit(Math.max(0, surplus)).forEach(this::stop);
        });
    }

    /** Marks a member as leaving; releases every other task at once. */
    void stop(JobTask task) {
        if (task.isRequestedAsMember()) {
            task.enter(Phase.LEAVING);
        } else {
            coordinator.release(task.id());
            release(task);
        }
    }

    /** A new plan decides again about leaving tasks that were not asked to leave yet. */
    void keepAll() {
        stoppable().forEach(JobTask::keep);
    }

    /** Keeps leaving tasks that were not asked to leave yet in place of tasks that were lost. */
    void keepUpTo(Directive directive, SortedMap<RoleOnNode, Integer> target) {
        SortedMap<RoleOnNode, List<JobTask>> staying = tasks.staying(directive);
        target.forEach((key, count) -> stoppable()
                .filter(task -> directive.keyOf(task.container()).equals(key))
                .limit(Math.max(0, count - staying.getOrDefault(key, List.of()).size()))
                .forEach(JobTask::keep));
    }

    private Stream<JobTask> stoppable() {
        return tasks.in(Phase.LEAVING).stream().filter(JobTask::mayBeKept);
    }

    /** The coordinator says that the task holds nothing any more. */
    void left(TaskId id) {
        tasks.named(id).filter(JobTask::wasAskedToLeave).ifPresent(this::release);
    }

    /** Releases tasks that have left or are late. */
    void releaseLeft(Directive directive) {
        long limit = Math.max(leaveTimeout.toMillis(), directive.graceMillis().orElse(0));
        for (JobTask task : tasks.in(Phase.LEAVING)) {
            if (!task.wasAskedToLeave()) {
                continue;
            }
            CoordinatorStatus status = coordinator.status();
            TaskStatus connected = status.tasks().get(task.id());
            boolean mayHandOver = connected != null && connected.member() && status.state() == State.SWITCHING;
            if (connected == null) {
                release(task);
            } else if (!mayHandOver && clock.getAsLong() - task.askedToLeaveMillis() > limit) {
                coordinator.taskLost(task.id(), "it has not left within " + limit / 1000 + " s");
                release(task);
            }
        }
    }

    /** Kills the process and gives the container back. */
    void release(JobTask task) {
        task.enter(Phase.RELEASED);
        containers.stop(task.container());
        containers.release(task.container());
    }
}
