package io.optimus.am.coordinator;

import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The connected tasks: when each was last heard, how fast it steps, where it listens. One thread. */
final class ConnectedTasks {
    private final TrainingSettings settings;
    private final Map<TaskId, Entry> entries = new TreeMap<>();
    /** An index is never given to a second process, so whoever comes with a used one is a stray. */
    private final Set<TaskId> seen = new HashSet<>();

    private long lastBeatNanos;

    /** What a task was when it went away. */
    enum Was {
        UNKNOWN,
        /** It had been told to end. */
        LEAVING,
        /** It had not. */
        NEEDED
    }

    private static final class Entry {
        final TaskConnection link;
        long heardNanos = System.nanoTime();
        boolean leaving;

        @Nullable
        ServerAddress address;

        long busyMillis;
        long steps;
        long stepsNanos = heardNanos;
        double stepsPerSecond;

        Entry(TaskConnection link) {
            this.link = link;
        }
    }

    ConnectedTasks(TrainingSettings settings) {
        this.settings = settings;
    }

    /** Welcomes a task; false: its name is taken. */
    boolean connected(TaskConnection link) {
        if (!seen.add(link.task())) {
            return false;
        }
        entries.put(link.task(), new Entry(link));
        TrainingSettings.Timing timing = settings.timing();
        link.send(new Message.Welcome(
                settings.mode(),
                settings.batch(),
                settings.seed(),
                settings.optimizer(),
                settings.checkpoint().everySteps(),
                timing.heartbeatMillis(),
                timing.silenceMillis()));
        return true;
    }

    boolean isLinkOf(TaskConnection link) {
        Entry entry = entries.get(link.task());
        return entry != null && entry.link == link;
    }

    void heard(TaskId task, FromTask message) {
        Entry entry = entries.get(task);
        if (entry == null) {
            return;
        }
        entry.heardNanos = System.nanoTime();
        if (message instanceof Message.ServerReady ready) {
            entry.address = new ServerAddress(task, ready.host(), ready.port());
        } else if (message instanceof Message.Alive alive) {
            entry.busyMillis = alive.busyMillis();
            double seconds = (entry.heardNanos - entry.stepsNanos) / 1e9;
            entry.stepsPerSecond = seconds > 0 ? (alive.steps() - entry.steps) / seconds : 0;
            entry.steps = alive.steps();
            entry.stepsNanos = entry.heardNanos;
        }
    }

    /** A server's address; a worker's address is never asked for. */
    ServerAddress address(TaskId server) {
        Entry entry = entries.get(server);
        // A server that has just gone is named once more before its loss is dealt with: nobody will answer there.
        return entry == null || entry.address == null ? new ServerAddress(server, "0.0.0.0", 0) : entry.address;
    }

    double stepsPerSecond(TaskId task) {
        Entry entry = entries.get(task);
        return entry == null ? 0 : entry.stepsPerSecond;
    }

    void send(TaskId task, ToTask message) {
        Entry entry = entries.get(task);
        if (entry != null) {
            entry.leaving |= message instanceof Message.Leave;
            entry.link.send(message);
        }
    }

    /** Closes the task's connection and forgets it. */
    Was remove(TaskId task) {
        Entry entry = entries.remove(task);
        if (entry == null) {
            return Was.UNKNOWN;
        }
        entry.link.close();
        return entry.leaving ? Was.LEAVING : Was.NEEDED;
    }

    /** Gives all tasks a sign of life, when it is time. */
    void beat() {
        long now = System.nanoTime();
        if (now - lastBeatNanos >= settings.timing().heartbeatMillis() * 1_000_000) {
            lastBeatNanos = now;
            entries.values().forEach(entry -> entry.link.send(new Message.StillHere()));
        }
    }

    /** Tasks that hang, with the reason in words. */
    Map<TaskId, String> late(long silenceMillis, long stepMillis) {
        Map<TaskId, String> late = new TreeMap<>();
        long now = System.nanoTime();
        entries.forEach((task, entry) -> {
            long silent = (now - entry.heardNanos) / 1_000_000;
            if (silent > silenceMillis) {
                late.put(task, "it was silent for " + silent + " ms");
            } else if (task.role() == Role.WORKER && entry.busyMillis > stepMillis) {
                late.put(
                        task, "it has computed for " + entry.busyMillis + " ms on one step, allowed are " + stepMillis);
            }
        });
        return late;
    }
}
