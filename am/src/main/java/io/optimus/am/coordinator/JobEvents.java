package io.optimus.am.coordinator;

import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.Executor;

/**
 * Handles the events of one job, all on the coordinator's thread except where a method says otherwise. Besides those of {@link
 * Coordinator}, these are the events of the tasks' connections.
 */
public interface JobEvents extends AutoCloseable {
    /** Finds the state to resume from. Called before every other method. */
    void resume() throws IOException;

    /** As {@link Coordinator#takeOver}. */
    void takeOver(Set<TaskId> tasks, Runnable done);

    /** A task of an earlier attempt cannot be called. */
    void unreachable(TaskId task);

    /** As {@link Coordinator#target}. */
    void target(Set<TaskId> members);

    /** As {@link Coordinator#release}. */
    void release(TaskId task);

    /** As {@link Coordinator#taskLost}; also when the connection of a task has ended. */
    void lost(TaskId task, String reason);

    /** As {@link Coordinator#stop}. */
    void stop(String reason);

    /** The job cannot go on. */
    void fail(String reason);

    /** A connected task has sent a message. */
    void received(TaskId task, FromTask message);

    /** Serves a checkpoint transfer, on any thread. */
    void serveCheckpoint(Socket socket, TaskId task) throws IOException;

    /** Something happened to this process that training survives, in a sentence. */
    void warned(String what);

    /** Looks at the clock. Called many times a second. */
    void tick();

    /** Returns the connected tasks that are not ready yet. */
    SortedSet<TaskId> loading();

    /** Returns a snapshot of the job. */
    CoordinatorStatus status();

    @Override
    void close();

    /** Makes what handles the events of a job. */
    @FunctionalInterface
    interface Factory {
        /**
         * Called once, before any task connects.
         *
         * @param connected the job's tasks, as far as they are connected
         * @param events runs on the coordinator's thread what other threads pass to it
         */
        JobEvents create(ConnectedTasks connected, Executor events);
    }
}
