package io.optimus.am.master.plan;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decides when the training gets another membership, so that one plan costs one resize where that is possible.
 *
 * <p>Tasks that are ready wait for others of the same plan, and leavers with them, but never longer than the join
 * time-out, nor past a third of the grace time that the directive gives to a shrink.
 */
final class ResizeRequests {
    /** Part of the grace time that a shrink may wait for tasks that are still starting; the rest is for leaving. */
    private static final int GRACE_PARTS = 3;

    private final Coordinator coordinator;
    private final JobTasks tasks;
    private final Allocation minimum;
    private final long joinMillis;

    private SortedSet<TaskId> requested = new TreeSet<>();
    private long changeSinceMillis = Long.MAX_VALUE;
    private boolean hurry;

    ResizeRequests(Coordinator coordinator, JobTasks tasks, Allocation minimum, Duration joinTimeout) {
        this.coordinator = coordinator;
        this.tasks = tasks;
        this.minimum = minimum;
        this.joinMillis = joinTimeout.toMillis();
    }

    /** Whether the training was last asked to have {@code task} as a member. */
    boolean contains(TaskId task) {
        return requested.contains(task);
    }

    /** The task is gone: the coordinator goes on without it. */
    void forget(TaskId task) {
        requested.remove(task);
    }

    /** The next change waits for nobody. */
    void hurry() {
        hurry = true;
    }

    /**
     * Asks the coordinator for the membership that the tasks now allow, if it is time.
     *
     * @param othersComing whether containers or processes of this plan are still on their way
     * @return what was asked for; empty if nothing was
     */
    Optional<Change> next(Directive directive, boolean othersComing, long nowMillis) {
        SortedSet<TaskId> wanted =
                tasks.in(JobTask.Phase.READY).stream().map(JobTask::id).collect(Collectors.toCollection(TreeSet::new));
        if (wanted.equals(requested) || !canStart(wanted)) {
            changeSinceMillis = Long.MAX_VALUE;
            return Optional.empty();
        }
        changeSinceMillis = Math.min(changeSinceMillis, nowMillis);
        if (othersComing && !hurry && nowMillis - changeSinceMillis < patience(directive, wanted)) {
            return Optional.empty();
        }
        return Optional.of(ask(wanted));
    }

    private Change ask(SortedSet<TaskId> wanted) {
        Change change =
                new Change(tasks.count(requested), tasks.count(wanted), Collections.unmodifiableSortedSet(wanted));
        requested = new TreeSet<>(wanted);
        changeSinceMillis = Long.MAX_VALUE;
        hurry = false;
        coordinator.target(change.members());
        return change;
    }

    /** A job that does not run begins with its minimum; one that runs takes what comes. */
    private boolean canStart(SortedSet<TaskId> wanted) {
        return !requested.isEmpty() || minimum.isWithin(tasks.count(wanted));
    }

    private long patience(Directive directive, SortedSet<TaskId> wanted) {
        boolean someLeave = !wanted.containsAll(requested);
        return someLeave && directive.graceMillis().isPresent()
                ? Math.min(joinMillis, directive.graceMillis().getAsLong() / GRACE_PARTS)
                : joinMillis;
    }

    /** A resize that was asked for. */
    record Change(Allocation from, Allocation to, SortedSet<TaskId> members) {}
}
