package io.optimus.am.coordinator;

import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.util.Set;
import java.util.SortedSet;

/**
 * Runs one elastic training job. Whoever starts and ends processes (the ApplicationMaster) names the tasks that shall
 * be members; the coordinator makes them so between two steps, without restarting those that stay.
 *
 * <p>All methods may be called from any thread; none waits for the network.
 */
public interface Coordinator extends AutoCloseable {
    /**
     * Opens the server socket on a free port of all addresses, looks for a checkpoint to resume from, and waits for
     * tasks.
     */
    void start() throws IOException;

    /** Where tasks connect to, valid after {@link #start}. */
    int port();

    /** Connected tasks that are ready to be named in a target and are not members. */
    SortedSet<TaskId> readyTasks();

    /**
     * Asks for a membership of exactly {@code members}. It is made as soon as all of them are ready, without disturbing
     * the current one before that; lost ones are taken off the target. A later call replaces an earlier one that has
     * not been carried out. Members that it lacks are told to end once what they hold has moved; ready tasks that it
     * lacks stay connected and wait.
     *
     * @param members any number of tasks; less than the job's minimum: the job waits
     */
    void target(Set<TaskId> members);

    /** Lets go of a task: a ready one is told to end at once, a member as if the target lacked it. */
    void release(TaskId task);

    /** The process of a task has ended; the membership goes on without it. An unknown task is no error. */
    void taskLost(TaskId task, String reason);

    /** A snapshot. */
    CoordinatorStatus status();

    /** Ends training early: after the current step a checkpoint is written and all tasks are told to end. */
    void stop(String reason);

    /** Closes sockets and threads at once; tasks that are still there end themselves. */
    @Override
    void close();
}
