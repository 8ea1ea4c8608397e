package io.optimus.am.coordinator.command;

import io.optimus.am.coordinator.ConnectedTasks;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The tasks of a job of commands: which of them run a command, and which end. A task becomes ready, runs commands one after
 * another, and is told to leave when it is not needed any more. Runs on one thread.
 */
final class CommandTasks {
    private final ConnectedTasks connected;

    /** Tasks that were ever ready. */
    private final NavigableSet<TaskId> known = new TreeSet<>();
    /** Tasks without a command. */
    private final NavigableMap<TaskId, ReservedAddress> idle = new TreeMap<>();
    /** Tasks whose command runs. */
    private final NavigableMap<TaskId, Run> running = new TreeMap<>();
    /** Tasks that are not needed any more, and leave once their command has ended. */
    private final NavigableSet<TaskId> released = new TreeSet<>();
    /** Tasks that were told to leave. */
    private final Set<TaskId> leaving = new HashSet<>();

    /** A command that was started in the membership {@code number}. */
    private record Run(ReservedAddress address, MembershipNumber number) {}

    /** No task is ready yet. */
    CommandTasks(ConnectedTasks connected) {
        this.connected = connected;
    }

    /** A task can run a command. Returns whether it is ready for the first time. */
    boolean ready(ReservedAddress address) {
        if (!leaving.contains(address.task()) && !runs(address.task())) {
            idle.put(address.task(), address);
        }
        return known.add(address.task());
    }

    /** A task of an earlier attempt runs a command, or has run one that has ended by itself. */
    void runs(ReservedAddress address, MembershipNumber number) {
        known.add(address.task());
        running.put(address.task(), new Run(address, number));
    }

    /** Returns a new set of the connected tasks that have not been told to leave. */
    NavigableSet<TaskId> staying() {
        NavigableSet<TaskId> staying = new TreeSet<>(connected.tasks());
        staying.removeAll(leaving);
        return staying;
    }

    /** Returns a new set of the tasks that were ever ready, and are not lost. */
    NavigableSet<TaskId> known() {
        return new TreeSet<>(known);
    }

    boolean areIdle(Collection<TaskId> tasks) {
        return idle.keySet().containsAll(tasks);
    }

    boolean runs(TaskId task) {
        return running.containsKey(task);
    }

    /** Returns a new set of the tasks whose command runs. */
    NavigableSet<TaskId> running() {
        return new TreeSet<>(running.keySet());
    }

    boolean noneRuns() {
        return running.isEmpty();
    }

    // Commands --------------------------------------------------------------------------------------------------------

    /** The commands of {@code tasks}, which are idle, start in the membership {@code number}. */
    void start(Collection<TaskId> tasks, MembershipNumber number) {
        for (TaskId task : tasks) {
            ReservedAddress address = idle.remove(task);
            if (address == null) {
                throw new IllegalStateException(task + " is not idle");
            }
            running.put(task, new Run(address, number));
        }
    }

    /** The addresses of those of {@code tasks} whose commands run, in the same order. */
    List<ReservedAddress> addresses(Collection<TaskId> tasks) {
        List<ReservedAddress> addresses = new ArrayList<>();
        for (TaskId task : tasks) {
            Run run = running.get(task);
            if (run != null) {
                addresses.add(run.address());
            }
        }
        return addresses;
    }

    /** The command of a task has ended. Returns whether it ran, and had started in the membership {@code number}. */
    boolean ended(TaskId task, MembershipNumber number) {
        Run run = running.get(task);
        if (run == null || !run.number().equals(number)) {
            return false;
        }
        running.remove(task);
        return true;
    }

    /** Tells a task to end its command, if one runs. */
    void endCommand(TaskId task) {
        Run run = running.get(task);
        if (run != null) {
            connected.send(task, new Message.EndCommand(run.number()));
        }
    }

    void endCommands() {
        running.keySet().forEach(this::endCommand);
    }

    // Ends of tasks ---------------------------------------------------------------------------------------------------

    /** The tasks are not needed any more. {@link #leaveReleased} tells them to leave. */
    void release(Collection<TaskId> tasks) {
        released.addAll(tasks);
    }

    /** The tasks are needed again, unless they were told to leave. */
    void keep(Collection<TaskId> tasks) {
        released.removeAll(tasks);
    }

    /** Tells released tasks to leave, if their command has ended and they are not in {@code members}. */
    void leaveReleased(Set<TaskId> members) {
        for (TaskId task : List.copyOf(released)) {
            if (!members.contains(task) && !runs(task)) {
                leave(task, "it is not needed any more");
            }
        }
    }

    /** Tells a task to leave. */
    void leave(TaskId task, String why) {
        released.remove(task);
        idle.remove(task);
        if (leaving.add(task)) {
            connected.send(task, new Message.Leave(why));
        }
    }

    /** A task is not connected any more. */
    void lost(TaskId task) {
        known.remove(task);
        idle.remove(task);
        running.remove(task);
        released.remove(task);
        leaving.remove(task);
    }
}
