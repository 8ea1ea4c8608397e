package io.optimus.am.coordinator;

import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.SortedSet;

/**
 * Handles the events of one job, all on the coordinator's thread except where a method says otherwise. Besides those of {@link
 * Coordinator}, these are the events of the tasks' connections.
 */
public interface JobEvents extends AutoCloseable {
    /** Finds the state to resume from. Called before every other method. */
    void resume() throws IOException;

    /** As {@link Coordinator#target}. */
    void target(Set<TaskId> members);

    /** As {@link Coordinator#release}. */
    void release(TaskId task);

    /** As {@link Coordinator#taskLost}. */
    void lost(TaskId task, String reason);

    /** As {@link Coordinator#stop}. */
    void stop(String reason);

    /** The job cannot go on. */
    void fail(String reason);

    /** A task has connected and has proved that it belongs to the job. */
    void connected(TaskConnection connection);

    /** A task has sent a message. */
    void received(TaskConnection connection, FromTask message);

    /** A connection has ended. */
    void disconnected(TaskConnection connection, String reason);

    /** Serves a checkpoint transfer, on any thread. */
    void serveCheckpoint(Socket socket, TaskId task) throws IOException;

    /** Looks at the clock. Called many times a second. */
    void tick();

    /** Returns the connected tasks that are not ready yet. */
    SortedSet<TaskId> loading();

    /** Returns a snapshot of the job. */
    CoordinatorStatus status();

    @Override
    void close();
}
