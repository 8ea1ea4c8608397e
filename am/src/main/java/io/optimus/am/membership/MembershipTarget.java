package io.optimus.am.membership;

import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The tasks that the job should train with, and the tasks that are ready. */
final class MembershipTarget {
    private final Allocation minimum;
    private final SortedSet<TaskId> ready = new TreeSet<>();
    private SortedSet<TaskId> wanted = new TreeSet<>();
    /** Wanted tasks were lost. If too few are left, the job was not told to wait. */
    private boolean damaged;

    MembershipTarget(Allocation minimum) {
        this.minimum = minimum;
    }

    void want(Set<TaskId> members) {
        wanted = new TreeSet<>(members);
        damaged = false;
    }

    void unwant(TaskId task) {
        wanted.remove(task);
    }

    void ready(TaskId task) {
        ready.add(task);
    }

    /** The task was told to end. Returns whether it was ready. */
    boolean withdraw(TaskId task) {
        return ready.remove(task);
    }

    void lost(TaskId task) {
        ready.remove(task);
        damaged |= wanted.remove(task);
    }

    SortedSet<TaskId> wanted() {
        return Collections.unmodifiableSortedSet(wanted);
    }

    SortedSet<TaskId> ready() {
        return Collections.unmodifiableSortedSet(ready);
    }

    boolean areReady(Collection<TaskId> tasks) {
        return ready.containsAll(tasks);
    }

    SortedSet<TaskId> notReadyOf(Collection<TaskId> tasks) {
        SortedSet<TaskId> missing = new TreeSet<>(tasks);
        missing.removeAll(ready);
        return missing;
    }

    /** Whether all wanted tasks are ready, and the job's minimum is among them. */
    boolean isReady() {
        return isEnough(wanted) && areReady(wanted);
    }

    /** Whether the job was told to wait, by a target under its minimum. */
    boolean isTooSmall() {
        return !damaged && !isEnough(wanted);
    }

    boolean isEnough(Collection<TaskId> members) {
        return minimum.isWithin(new Allocation(
                Membership.servers(members).size(), Membership.workers(members).size()));
    }
}
