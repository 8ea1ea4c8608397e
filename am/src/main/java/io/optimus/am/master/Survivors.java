package io.optimus.am.master;

import io.optimus.am.wire.TaskId;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Checks that a resize restarts nobody: who was in the old membership and is wanted in the new one is the same process
 * in the same container afterwards. Ids are never given to a second one.
 *
 * <p>Example: the training was asked for workers 0 and 1, then for workers 1 and 2. Worker 1 is to survive; if it does
 * not run any more when the resize is done, one task was restarted.
 *
 * <p>Belongs to the owner thread.
 */
final class Survivors {
    private SortedSet<TaskId> expected = new TreeSet<>();
    private SortedSet<TaskId> requested = new TreeSet<>();

    /** The training was asked to go on with {@code members}. */
    void asked(SortedSet<TaskId> members) {
        expected = new TreeSet<>(members);
        expected.retainAll(requested);
        requested = new TreeSet<>(members);
    }

    /** The resize is done: how many did not survive it, each counted once. */
    int restarted(Predicate<TaskId> runs) {
        long gone = expected.stream().filter(runs.negate()).count();
        expected = new TreeSet<>();
        return (int) gone;
    }
}
