package io.optimus.am.coordinator;

import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.engine.Activity;
import io.optimus.am.engine.Activity.Phase;
import io.optimus.am.engine.StepTotals;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.TaskId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connected tasks: when each was last heard, how fast it steps, and where it listens. Runs on one thread. */
public final class ConnectedTasks {
    /** The heartbeats that have to be missing before this process counts as cut off. */
    private static final int MISSED_HEARTBEATS = 5;
    /** A task that stands still reads its last message when it goes on, and may never do so. */
    private static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Message.Welcome welcome;
    private final Map<TaskId, Entry> entries = new TreeMap<>();
    /** An index is never given to a second process, so a process with a used one does not belong to the job. */
    private final Set<TaskId> seen = new HashSet<>();
    /** Connections to which nothing more is sent, and when they are closed at the latest. */
    private final Map<TaskConnection, Long> ending = new HashMap<>();

    private final AwakeClock clock;
    private final CutOff cutOff;
    private long lastHeartbeatNanos;

    /** What is known of a task whose connection has ended. */
    public enum Was {
        UNKNOWN,
        /** The task had been told to end. */
        LEAVING,
        /** The task had not been told to end. */
        NEEDED
    }

    private static final class Entry {
        final TaskConnection connection;
        final boolean isOnAnotherHost;
        long heardNanos;
        boolean leaving;

        @Nullable
        ServerAddress address;

        Activity activity = Activity.WAITING;
        /** When the task was heard to be between epochs last. */
        @Nullable
        Long betweenEpochsNanos;

        long steps;
        long stepsNanos;
        double stepsPerSecond;
        StepTotals totals = StepTotals.NONE;

        Entry(TaskConnection connection, long heardNanos) {
            this.connection = connection;
            this.isOnAnotherHost = connection.comesFromAnotherHost();
            this.heardNanos = heardNanos;
            this.stepsNanos = heardNanos;
        }
    }

    /** No tasks yet; each is sent {@code welcome} first. */
    ConnectedTasks(Message.Welcome welcome) {
        this(welcome, new AwakeClock(System::nanoTime));
    }

    ConnectedTasks(Message.Welcome welcome, AwakeClock clock) {
        this.welcome = welcome;
        this.clock = clock;
        this.cutOff = new CutOff(
                TimeUnit.MILLISECONDS.toNanos(MISSED_HEARTBEATS * welcome.heartbeatMillis()),
                TimeUnit.MILLISECONDS.toNanos(welcome.silenceMillis()));
    }

    /** YARN has answered the ApplicationMaster. Any thread may call this. */
    void yarnAnswers() {
        cutOff.yarnAnswers();
    }

    /** Sends a task the job's settings; tells it to leave if there is or was another task of its name. */
    void add(TaskConnection connection) {
        if (seen.add(connection.task())) {
            entries.put(connection.task(), new Entry(connection, clock.nanos()));
            connection.send(welcome);
        } else {
            end(
                    connection,
                    new Message.Leave("Another process is or was " + connection.task() + ", or it counts as lost"));
        }
    }

    /** Whether this is the connection of a task that is not lost. */
    boolean has(TaskConnection connection) {
        Entry entry = entries.get(connection.task());
        return entry != null && entry.connection == connection;
    }

    /** Returns a new set of all connected tasks. */
    public SortedSet<TaskId> tasks() {
        return new TreeSet<>(entries.keySet());
    }

    /** Notes that a task was heard. Returns false if it is lost, so that its message counts no more. */
    boolean received(TaskConnection connection, FromTask message) {
        TaskId task = connection.task();
        Entry entry = entries.get(task);
        if (entry == null || entry.connection != connection) {
            return false;
        }
        entry.heardNanos = clock.nanos();
        if (message instanceof Message.ServerReady ready) {
            entry.address = new ServerAddress(task, ready.host(), ready.port());
        } else if (message instanceof Message.WorkerReady ready) {
            entry.address = ready.rendezvous().orElse(null);
        } else if (message instanceof Message.Alive alive) {
            entry.activity = alive.activity();
            if (alive.activity().phase() == Phase.BETWEEN_EPOCHS) {
                entry.betweenEpochsNanos = entry.heardNanos;
            }
            double seconds = (entry.heardNanos - entry.stepsNanos) / 1e9;
            entry.stepsPerSecond = seconds > 0 ? (alive.steps() - entry.steps) / seconds : 0;
            entry.steps = alive.steps();
            entry.totals = alive.totals();
            entry.stepsNanos = entry.heardNanos;
        }
        return true;
    }

    /** Returns the address at which a task listens for others. */
    ServerAddress address(TaskId task) {
        Entry entry = entries.get(task);
        // A task that is lost is named once more before its loss is handled; no process answers at this address.
        return entry == null || entry.address == null ? new ServerAddress(task, "0.0.0.0", 0) : entry.address;
    }

    /** The status of a task. */
    TaskStatus status(TaskId task, boolean member) {
        Entry entry = entries.get(task);
        return entry == null
                ? new TaskStatus(member, 0, StepTotals.NONE)
                : new TaskStatus(member, entry.stepsPerSecond, entry.totals);
    }

    /** Sends without waiting; nothing if the task is not connected. */
    public void send(TaskId task, ToTask message) {
        Entry entry = entries.get(task);
        if (entry != null) {
            entry.leaving |= message instanceof Message.Leave;
            entry.connection.send(message);
        }
    }

    /**
     * Forgets {@code task} and tells it to leave, now or when it connects. YARN may not end its process, because a NodeManager
     * that starts again without recovery does not know its containers.
     */
    public Was remove(TaskId task) {
        return remove(task, new Message.Leave("it counts as lost"));
    }

    private Was remove(TaskId task, ToTask last) {
        refuse(task);
        Entry entry = entries.remove(task);
        if (entry == null) {
            return Was.UNKNOWN;
        }
        end(entry.connection, last);
        return entry.leaving ? Was.LEAVING : Was.NEEDED;
    }

    private void end(TaskConnection connection, ToTask last) {
        connection.send(last);
        connection.endAfterwards();
        ending.put(connection, clock.nanos() + LAST_WORDS_NANOS);
    }

    /** A task of this name is told to leave when it comes. */
    void refuse(TaskId task) {
        seen.add(task);
    }

    /** Forgets the connection of {@code task}, and closes it once the task has been told that it is given up. */
    public Was giveUp(TaskId task, String why) {
        return remove(task, new Message.GivenUp(why));
    }

    /** The time in nanoseconds since an arbitrary moment, without the time in which this process stood still. */
    public long nanos() {
        return clock.nanos();
    }

    /**
     * Goes on with the clock, and sends each task a heartbeat when one is due. Must be called many times a second.
     *
     * @return nanoseconds in which this process stood still since the last call; 0 if it ran, or has no tasks
     */
    long tick() {
        long stoodStill = clock.tick();
        long now = clock.nanos();
        ending.entrySet().removeIf(each -> {
            boolean isOver = now >= each.getValue();
            if (isOver) {
                each.getKey().close();
            }
            return isOver;
        });
        if (now - lastHeartbeatNanos >= welcome.heartbeatMillis() * 1_000_000) {
            lastHeartbeatNanos = now;
            entries.values().forEach(entry -> entry.connection.send(new Message.StillHere()));
        }
        return entries.isEmpty() ? 0 : stoodStill;
    }

    /**
     * Looks whether this process is cut off from the network. Must be called many times a second.
     *
     * @return nanoseconds for which it was, if that is over now; otherwise 0
     */
    long lookForCut() {
        return cutOff.tick(
                clock.nanos(),
                entries.values().stream()
                        .filter(entry -> entry.isOnAnotherHost)
                        .mapToLong(entry -> entry.heardNanos)
                        .max());
    }

    /**
     * Whether a task's program was between two epochs, or in its first step, in the last {@code millis}. What others wait
     * for then takes longer than a step.
     */
    boolean wasBetweenEpochs(TaskId task, long millis) {
        Entry entry = entries.get(task);
        Long heard = entry == null ? null : entry.betweenEpochsNanos;
        return heard != null && clock.nanos() - heard <= millis * 1_000_000;
    }

    /**
     * Returns the tasks that hang, with the reason for the owner. While this process is cut off from the network, and some time
     * after that, tasks on other hosts may be silent.
     *
     * @param silenceMillis the longest time without a message
     * @param stepMillis the longest time of one step
     * @param betweenEpochsMillis the longest time of a program between two epochs, and of its first step
     */
    public Map<TaskId, String> late(long silenceMillis, long stepMillis, long betweenEpochsMillis) {
        Map<TaskId, String> late = new TreeMap<>();
        long now = clock.nanos();
        entries.forEach((task, entry) -> {
            long silent = (now - entry.heardNanos) / 1_000_000;
            if (silent > silenceMillis && !(entry.isOnAnotherHost && cutOff.explainsSilence(now, entry.heardNanos))) {
                late.put(task, "it was silent for " + silent + " ms");
            } else if (entry.activity.phase() == Phase.STEPPING && entry.activity.millis() > stepMillis) {
                late.put(
                        task,
                        "it has computed one step for " + entry.activity.millis() + " ms; at most " + stepMillis
                                + " ms are allowed");
            } else if (entry.activity.phase() == Phase.BETWEEN_EPOCHS
                    && entry.activity.millis() > betweenEpochsMillis) {
                late.put(
                        task,
                        "its program has been between two epochs, or in its first step, for " + entry.activity.millis()
                                + " ms; at most " + betweenEpochsMillis + " ms are allowed");
            }
        });
        return late;
    }
}
