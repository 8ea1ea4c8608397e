package io.optimus.am.master.plan;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.master.plan.JobTask.Phase;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TaskLauncher;
import io.optimus.am.wire.TaskId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.function.LongSupplier;

/**
 * How tasks that are too many go: a member is marked, leaves with the next change of the membership, hands over what it
 * holds, and only then its container is given back. Whoever is marked and was not told yet can still stay.
 *
 * <p>A leaver has its time from when the training was asked to go on without it: the leave time-out, or the grace time
 * of the directive where that is longer. One that still is a member while the training switches is not late, since its
 * parameters may be on their way: the coordinator bounds that switch itself.
 *
 * <p>Belongs to the owner thread.
 */
final class TaskStops {
    /** Which of too many tasks on a node go first: those that have not connected, then the newest. */
    private static final Comparator<JobTask> FIRST_TO_GO =
            Comparator.comparing(JobTask::phase).thenComparing(JobTask::number, Comparator.reverseOrder());

    private final Containers containers;
    private final TaskLauncher launcher;
    private final Coordinator coordinator;
    private final JobTasks tasks;
    private final ResizeRequests membership;
    private final Duration leaveTimeout;
    private final LongSupplier clock;

    TaskStops(
            Containers containers,
            TaskLauncher launcher,
            Coordinator coordinator,
            JobTasks tasks,
            ResizeRequests membership,
            Duration leaveTimeout,
            LongSupplier clock) {
        this.containers = containers;
        this.launcher = launcher;
        this.coordinator = coordinator;
        this.tasks = tasks;
        this.membership = membership;
        this.leaveTimeout = leaveTimeout;
        this.clock = clock;
    }

    /** Marks whoever is more than {@code allowed}. */
    void giveUpSurplus(Directive directive, SortedMap<RoleOnNode, Integer> allowed) {
        tasks.staying(directive).forEach((seat, held) -> {
            int surplus = held.size() - allowed.getOrDefault(seat, 0);
            held.stream().sorted(FIRST_TO_GO).limit(Math.max(0, surplus)).forEach(this::giveUp);
        });
    }

    /** Marks a member; who is none goes at once. */
    void giveUp(JobTask task) {
        if (task.phase() == Phase.STARTING || !membership.contains(task.id())) {
            coordinator.release(task.id());
            giveBack(task);
        } else {
            task.enter(Phase.LEAVING, clock.getAsLong());
        }
    }

    /** A new plan decides anew about those who were not told yet. */
    void keepAll() {
        tasks.in(Phase.LEAVING).stream()
                .filter(task -> !wasTold(task))
                .forEach(task -> task.stayAfterAll(clock.getAsLong()));
    }

    /** Who was not told yet makes up for a task that was lost. */
    void keepUpTo(Directive directive, SortedMap<RoleOnNode, Integer> allowed) {
        SortedMap<RoleOnNode, List<JobTask>> staying = tasks.staying(directive);
        allowed.forEach((seat, count) -> tasks.in(Phase.LEAVING).stream()
                .filter(task -> JobTasks.seat(directive, task).equals(seat) && !wasTold(task))
                .limit(Math.max(0, count - staying.getOrDefault(seat, List.of()).size()))
                .forEach(task -> task.stayAfterAll(clock.getAsLong())));
    }

    /** The training was asked for another membership: the time of those whom it lacks begins. */
    void told() {
        tasks.in(Phase.LEAVING).stream().filter(this::wasTold).forEach(task -> task.tellToLeave(clock.getAsLong()));
    }

    /** The training says that the task holds nothing any more. */
    void left(TaskId id) {
        tasks.named(id)
                .filter(task -> task.phase() == Phase.LEAVING && wasTold(task))
                .ifPresent(this::giveBack);
    }

    /** Gives back whoever has left, and gives up on those who take too long. */
    void finish(Directive directive) {
        long limit = Math.max(leaveTimeout.toMillis(), directive.graceMillis().orElse(0));
        for (JobTask task : tasks.in(Phase.LEAVING)) {
            if (!wasTold(task)) {
                continue;
            }
            CoordinatorStatus status = coordinator.status();
            TaskStatus connected = status.tasks().get(task.id());
            boolean mayHandOver = connected != null && connected.member() && status.state() == State.SWITCHING;
            if (connected == null) {
                giveBack(task);
            } else if (!mayHandOver && clock.getAsLong() - task.toldMillis() > limit) {
                coordinator.taskLost(task.id(), "it has not left within " + limit / 1000 + " s");
                giveBack(task);
            }
        }
    }

    /** Ends the process and gives the container back. */
    void giveBack(JobTask task) {
        task.enter(Phase.RELEASED, clock.getAsLong());
        launcher.stop(task.grant());
        containers.release(task.grant().container());
    }

    private boolean wasTold(JobTask task) {
        return !membership.contains(task.id());
    }
}
