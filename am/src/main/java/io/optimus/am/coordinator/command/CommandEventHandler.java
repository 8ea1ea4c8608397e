package io.optimus.am.coordinator.command;

import io.optimus.am.coordinator.ConnectedTasks;
import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.JobEvents;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the events of a job of commands, which train by themselves in a {@link CommandRun}. While tasks of an earlier attempt
 * come to this one, their commands run on, and what could start or end one is held back until all have come.
 *
 * <p>Runs on one thread.
 */
public final class CommandEventHandler implements JobEvents {
    private static final Logger LOG = LoggerFactory.getLogger(CommandEventHandler.class);

    private final CoordinatorListener listener;
    private final ConnectedTasks connected;
    private final CommandRun run;
    private final long silenceMillis;

    /** Tasks of an earlier attempt, until all have come. */
    private @Nullable ReturningCommands returning;
    /** What was asked for meanwhile, besides the target. */
    private final Queue<Runnable> held = new ArrayDeque<>();

    /**
     * Waits for tasks.
     *
     * @param settings the job
     * @param listener receives the events of the job
     * @param connected the job's tasks, as far as they are connected
     */
    public CommandEventHandler(CommandSettings settings, CoordinatorListener listener, ConnectedTasks connected) {
        this.listener = listener;
        this.connected = connected;
        this.run = new CommandRun(settings, listener, connected);
        this.silenceMillis = settings.timing().silenceMillis();
    }

    @Override
    public void resume() {
        // The commands resume from their own checkpoints.
    }

    @Override
    public void takeOver(Set<TaskId> earlier, Runnable done) {
        returning = new ReturningCommands(earlier, connected.nanos(), done);
        goOnIfComplete();
    }

    @Override
    public void unreachable(TaskId task) {
        ReturningCommands coming = returning;
        if (coming != null && !connected.tasks().contains(task)) {
            coming.lost(task);
            listener.taskLost(task, "the new ApplicationMaster could not call it");
            goOnIfComplete();
        }
    }

    /** Once all tasks have come that will, their commands belong to this coordinator. */
    private void goOnIfComplete() {
        ReturningCommands back = returning;
        if (back == null || !back.areComplete(connected.nanos())) {
            return;
        }
        returning = null;
        back.missing().forEach(task -> listener.taskLost(task, "it did not come to the new ApplicationMaster"));
        run.goOn(back);
        held.forEach(Runnable::run);
        held.clear();
        back.later().stream()
                .filter(told -> !(told.message() instanceof Message.CommandReport))
                .filter(told -> connected.tasks().contains(told.task()))
                .forEach(told -> received(told.task(), told.message()));
        back.target().ifPresent(run::target);
        run.reconcile();
        back.end();
    }

    @Override
    public void target(Set<TaskId> wanted) {
        ReturningCommands coming = returning;
        if (coming == null) {
            run.target(wanted);
        } else {
            coming.target(wanted);
        }
    }

    @Override
    public void release(TaskId task) {
        onceComplete(() -> run.release(task));
    }

    @Override
    public void stop(String reason) {
        onceComplete(() -> run.stop(reason));
    }

    @Override
    public void fail(String reason) {
        onceComplete(() -> run.fail(reason));
    }

    private void onceComplete(Runnable order) {
        if (returning == null) {
            order.run();
        } else {
            held.add(order);
        }
    }

    @Override
    public void received(TaskId task, FromTask message) {
        ReturningCommands coming = returning;
        if (message instanceof Message.Reachable reachable) {
            listener.taskReachable(task, new Message.ServerAddress(task, reachable.host(), reachable.port()));
        } else if (message instanceof Message.Returned || message instanceof Message.Alive) {
            // Nothing for commands is in these.
            LOG.trace("heard task={}", task);
        } else if (message instanceof Message.Unable unable) {
            lost(task, unable.reason());
        } else if (coming != null && coming.received(task, message)) {
            goOnIfComplete();
        } else if (message instanceof Message.CommandState) {
            lost(task, "it came too late to the new ApplicationMaster");
        } else if (message instanceof Message.CommandReady ready) {
            run.ready(new ReservedAddress(task, ready.host(), ready.port()));
        } else if (message instanceof Message.CommandReport report) {
            run.report(task, report);
        } else if (message instanceof Message.CommandEnded ended) {
            run.ended(task, ended);
        } else {
            LOG.warn("task={} sent what no command sends: {}", task, message);
        }
    }

    @Override
    public void lost(TaskId task, String reason) {
        ReturningCommands coming = returning;
        if (coming != null) {
            coming.lost(task);
        }
        run.lost(task, reason);
    }

    @Override
    public void warned(String what) {
        listener.warned(what);
    }

    @Override
    public void tick() {
        connected.late(silenceMillis, Long.MAX_VALUE, Long.MAX_VALUE).forEach(this::lost);
        run.tick();
        goOnIfComplete();
    }

    @Override
    public SortedSet<TaskId> loading() {
        return run.loading();
    }

    @Override
    public CoordinatorStatus status() {
        return run.status();
    }

    @Override
    public void serveCheckpoint(Socket socket, TaskId task) throws IOException {
        throw new IOException(task + " has no checkpoint: commands write their own");
    }

    @Override
    public void close() {
        // The connections are closed with the coordinator's sockets.
    }
}
