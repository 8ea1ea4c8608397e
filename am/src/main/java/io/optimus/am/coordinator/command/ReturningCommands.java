package io.optimus.am.coordinator.command;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.CommandState;
import io.optimus.am.wire.Message.CommandState.Started;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * The tasks of an earlier attempt of the ApplicationMaster, which come to the coordinator of this one. Their commands run on, and
 * until all tasks have come, none is started or told to end.
 */
final class ReturningCommands {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Set<TaskId> awaited;
    private final long untilNanos;
    private final Runnable done;
    private final NavigableMap<TaskId, CommandState> states = new TreeMap<>();
    private final Queue<Told> later = new ArrayDeque<>();
    private Optional<Set<TaskId>> target = Optional.empty();

    /** A message that counts once all tasks have come. */
    record Told(TaskId task, FromTask message) {}

    /**
     * The membership in which the lost coordinator had started commands last.
     *
     * @param first the member at whose address they meet
     * @param members those whose command runs and was not told to end, or has ended by itself
     * @param missing its other members
     * @param step the last step that any of them has printed
     */
    record Last(TaskId first, NavigableSet<TaskId> members, NavigableSet<TaskId> missing, long step) {
        /** All its members. */
        NavigableSet<TaskId> all() {
            NavigableSet<TaskId> all = new TreeSet<>(members);
            all.addAll(missing);
            return all;
        }
    }

    /**
     * Waits for tasks.
     *
     * @param tasks all that may come
     * @param nowNanos the coordinator's clock
     * @param done runs when it is certain which commands run on
     */
    ReturningCommands(Set<TaskId> tasks, long nowNanos, Runnable done) {
        this.awaited = new TreeSet<>(tasks);
        this.untilNanos = nowNanos + LONGEST_NANOS;
        this.done = done;
    }

    /** Takes what a task tells. All but its state counts later. */
    void received(TaskId task, FromTask message) {
        if (message instanceof CommandState state) {
            awaited.remove(task);
            states.put(task, state);
            state.report().ifPresent(report -> later.add(new Told(task, report)));
        } else {
            later.add(new Told(task, message));
        }
    }

    /** The task does not come. */
    void lost(TaskId task) {
        awaited.remove(task);
        states.remove(task);
        later.removeIf(told -> told.task().equals(task));
    }

    void target(Set<TaskId> members) {
        target = Optional.of(members);
    }

    /** Whether all have come that will. */
    boolean areComplete(long nowNanos) {
        return awaited.isEmpty() || nowNanos >= untilNanos;
    }

    /** Those that have not come. */
    Set<TaskId> missing() {
        return awaited;
    }

    /** What each task that has come has told of itself. */
    NavigableMap<TaskId, CommandState> states() {
        return Collections.unmodifiableNavigableMap(states);
    }

    /** What tasks have told besides, in the order in which it came. */
    Queue<Told> later() {
        return later;
    }

    /** The target that was set while they came. */
    Optional<Set<TaskId>> target() {
        return target;
    }

    /** The newest membership; empty if no command runs, and none has ended by itself. */
    Optional<Last> last() {
        List<Started> started = new ArrayList<>();
        NavigableSet<TaskId> staying = new TreeSet<>();
        states.forEach((task, state) -> state.started().ifPresent(command -> {
            started.add(command);
            if (!command.toldToEnd()) {
                staying.add(task);
            }
        }));
        long step = started.stream().mapToLong(Started::step).max().orElse(0);
        return started.stream()
                .max(Comparator.comparing(Started::number, MembershipNumber::compareTo))
                .map(newest -> {
                    NavigableSet<TaskId> members = new TreeSet<>(newest.members());
                    members.retainAll(staying);
                    NavigableSet<TaskId> missing = new TreeSet<>(newest.members());
                    missing.removeAll(members);
                    return new Last(newest.members().get(0), members, missing, step);
                });
    }

    /** It is certain which commands run on. */
    void end() {
        done.run();
    }
}
