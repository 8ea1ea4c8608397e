package io.optimus.am.coordinator.command;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.CommandEnded;
import io.optimus.am.wire.Message.CommandState;
import io.optimus.am.wire.Message.CommandState.Started;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
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
     * @param members those that have come, except for those whose command was told to end
     * @param missing its other members
     * @param step the last step that any command has printed
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
     * @param done runs once it is decided which commands run on
     */
    ReturningCommands(Set<TaskId> tasks, long nowNanos, Runnable done) {
        this.awaited = new TreeSet<>(tasks);
        this.untilNanos = nowNanos + LONGEST_NANOS;
        this.done = done;
    }

    /** Takes a message. Returns false if it is the state of a task that is not awaited any more. */
    boolean received(TaskId task, FromTask message) {
        if (message instanceof CommandState state) {
            if (!awaited.remove(task)) {
                return false;
            }
            states.put(task, state);
            state.report().ifPresent(report -> later.add(new Told(task, report)));
        } else {
            if (message instanceof CommandEnded how) {
                states.computeIfPresent(task, (same, state) -> ended(state, how));
            }
            later.add(new Told(task, message));
        }
        return true;
    }

    /** The state of a task whose command has ended since. The port for its next command comes in another message. */
    private static CommandState ended(CommandState state, CommandEnded how) {
        boolean byItself = state.ended().isEmpty()
                && state.started()
                        .filter(command ->
                                !command.toldToEnd() && command.number().equals(how.number()))
                        .isPresent();
        return byItself ? new CommandState(state.host(), 0, state.started(), Optional.of(how), state.report()) : state;
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

    /** The state of each task that has come. */
    NavigableMap<TaskId, CommandState> states() {
        return Collections.unmodifiableNavigableMap(states);
    }

    /** All other messages, in the order in which they came. */
    Queue<Told> later() {
        return later;
    }

    /** The target that was set while they came. */
    Optional<Set<TaskId>> target() {
        return target;
    }

    /**
     * The newest membership; empty if no command runs, and none has ended by itself.
     *
     * @param isLive whether a membership keeps commands that were started in an earlier one, as with torchrun
     */
    Optional<Last> last(boolean isLive) {
        SortedMap<TaskId, Started> started = new TreeMap<>();
        states.forEach((task, state) -> state.started().ifPresent(command -> started.put(task, command)));
        long step = started.values().stream().mapToLong(Started::step).max().orElse(0);
        return started.values().stream()
                .max(Comparator.comparing(Started::number, MembershipNumber::compareTo))
                .map(newest -> {
                    NavigableSet<TaskId> members = new TreeSet<>(newest.members());
                    members.retainAll(started.keySet());
                    started.forEach((task, command) -> {
                        boolean stays = isLive || command.number().equals(newest.number());
                        if (command.toldToEnd() || !stays) {
                            members.remove(task);
                        }
                    });
                    NavigableSet<TaskId> missing = new TreeSet<>(newest.members());
                    missing.removeAll(members);
                    return new Last(newest.members().get(0), members, missing, step);
                });
    }

    /** It is decided which commands run on. */
    void end() {
        done.run();
    }
}
