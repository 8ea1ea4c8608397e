package io.optimus.am.master.plan;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Decides when the coordinator is asked for another membership, so that one plan costs one resize if possible.
 *
 * <p>Ready tasks wait for others of the same plan, and leaving tasks wait with them, but never longer than the join
 * time-out. If tasks leave, they wait no longer than a third of the directive's grace time; two thirds, whatever the join
 * time-out, where training would stop without those that are still starting.
 */
final class ResizeRequests {
    /** A shrink waits one or two of these parts of the grace time for tasks that are starting; the rest is for leaving. */
    private static final int GRACE_PARTS = 3;

    private static final long NO_CHANGE = Long.MAX_VALUE;

    private final Coordinator coordinator;
    private final JobTasks tasks;
    private final Allocation minimum;
    private final long joinMillis;
    private final LongSupplier clock;
    private long changeSinceMillis = NO_CHANGE;
    private long seenPlan = Long.MIN_VALUE;
    private OptionalLong graceEndsMillis = OptionalLong.empty();
    private boolean urgent;

    ResizeRequests(
            Coordinator coordinator, JobTasks tasks, Allocation minimum, Duration joinTimeout, LongSupplier clock) {
        this.coordinator = coordinator;
        this.tasks = tasks;
        this.minimum = minimum;
        this.joinMillis = joinTimeout.toMillis();
        this.clock = clock;
    }

    /** The next change waits for no other task. */
    void hurry() {
        urgent = true;
    }

    /**
     * Asks the coordinator for the membership of all ready tasks, if it is time.
     *
     * @param startsPending whether containers or processes of this plan have not come yet
     * @return what was asked for; empty if nothing was
     */
    Optional<Request> update(Directive directive, boolean startsPending) {
        long now = clock.getAsLong();
        if (directive.plan() != seenPlan) {
            seenPlan = directive.plan();
            OptionalLong grace = directive.graceMillis();
            graceEndsMillis = grace.isPresent() ? OptionalLong.of(now + grace.getAsLong()) : grace;
        }
        SortedSet<TaskId> wanted = ids(task -> task.phase() == JobTask.Phase.READY);
        SortedSet<TaskId> requested = ids(JobTask::isRequestedAsMember);
        if (wanted.equals(requested) || !canStart(wanted, requested)) {
            changeSinceMillis = NO_CHANGE;
            return Optional.empty();
        }
        changeSinceMillis = Math.min(changeSinceMillis, now);
        if (startsPending && !urgent && now - changeSinceMillis < waitMillis(wanted, requested)) {
            return Optional.empty();
        }
        Request request = new Request(
                tasks.count(JobTask::isRequestedAsMember),
                tasks.count(task -> wanted.contains(task.id())),
                Collections.unmodifiableSortedSet(wanted));
        tasks.all().forEach(task -> task.requestAsMember(wanted.contains(task.id())));
        changeSinceMillis = NO_CHANGE;
        urgent = false;
        coordinator.target(wanted);
        return Optional.of(request);
    }

    private SortedSet<TaskId> ids(Predicate<JobTask> which) {
        return tasks.all().filter(which).map(JobTask::id).collect(Collectors.toCollection(TreeSet::new));
    }

    /** A job that does not run begins with its minimum; one that runs takes any number. */
    private boolean canStart(SortedSet<TaskId> wanted, SortedSet<TaskId> requested) {
        return !requested.isEmpty() || minimum.isWithin(tasks.count(task -> wanted.contains(task.id())));
    }

    /** How long a change from {@code requested} to {@code wanted} waits for tasks that are starting. */
    private long waitMillis(SortedSet<TaskId> wanted, SortedSet<TaskId> requested) {
        if (graceEndsMillis.isEmpty() || wanted.containsAll(requested)) {
            return joinMillis;
        }
        long part = (graceEndsMillis.getAsLong() - changeSinceMillis) / GRACE_PARTS;
        boolean stops = !minimum.isWithin(tasks.count(task -> wanted.contains(task.id())));
        return stops ? 2 * part : Math.min(joinMillis, part);
    }

    /** A membership that the coordinator was asked for, and the allocations before and after it. */
    record Request(Allocation from, Allocation to, SortedSet<TaskId> members) {}
}
