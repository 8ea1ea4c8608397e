package io.optimus.am.membership;

import io.optimus.am.wire.TaskId;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The parameters that a membership holds in memory while no step is in flight.
 *
 * @param step the next step
 * @param upToDate the workers whose own parameters are those before {@code step}; the other ones receive them
 * @param partlyApplied whether some servers have applied {@code step} already. They take it back when the next
 *     membership is placed. Until then their shards are not the state before any step, and cannot be saved.
 */
record HeldParameters(long step, SortedSet<TaskId> upToDate, boolean partlyApplied) {
    HeldParameters {
        upToDate = Collections.unmodifiableSortedSet(new TreeSet<>(upToDate));
    }

    /** Servers, if there are any, and {@code workers} have the parameters before {@code step}. */
    static HeldParameters before(long step, Collection<TaskId> workers) {
        return new HeldParameters(step, new TreeSet<>(workers), false);
    }

    /** The same with the workers among {@code tasks} only. */
    HeldParameters among(Collection<TaskId> tasks) {
        SortedSet<TaskId> left = new TreeSet<>(upToDate);
        left.retainAll(tasks);
        return new HeldParameters(step, left, partlyApplied);
    }
}
