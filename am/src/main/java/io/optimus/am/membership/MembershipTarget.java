package io.optimus.am.membership;

import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which tasks can be members, and which are wanted. */
final class MembershipTarget {
    private final Allocation minimum;
    private final SortedSet<TaskId> ready = new TreeSet<>();
    private SortedSet<TaskId> target = new TreeSet<>();
    /** Tasks were lost from the target: what is left of it is nobody's wish. */
    private boolean damaged;

    MembershipTarget(Allocation minimum) {
        this.minimum = minimum;
    }

    void add(TaskId task) {
        ready.add(task);
    }

    /** The task was told to end; whether it was ready. */
    boolean remove(TaskId task) {
        return ready.remove(task);
    }

    void lost(TaskId task) {
        ready.remove(task);
        damaged |= target.remove(task);
    }

    void want(Set<TaskId> members) {
        target = new TreeSet<>(members);
        damaged = false;
    }

    void unwant(TaskId task) {
        target.remove(task);
    }

    SortedSet<TaskId> ready() {
        return Collections.unmodifiableSortedSet(ready);
    }

    boolean areReady(Collection<TaskId> tasks) {
        return ready.containsAll(tasks);
    }

    SortedSet<TaskId> notReady(Collection<TaskId> tasks) {
        SortedSet<TaskId> missing = new TreeSet<>(tasks);
        missing.removeAll(ready);
        return missing;
    }

    SortedSet<TaskId> target() {
        return Collections.unmodifiableSortedSet(target);
    }

    /** All that are wanted are ready, and there are enough of them. */
    boolean targetIsReady() {
        return enough(target) && ready.containsAll(target);
    }

    /** Somebody wants the job to wait. */
    boolean targetIsTooSmall() {
        return !damaged && !enough(target);
    }

    boolean enough(Collection<TaskId> members) {
        return minimum.isWithin(Membership.allocationOf(members));
    }
}
