package io.optimus.am.coordinator;

import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TakeOver.Successor;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.SortedSet;

/**
 * Runs one elastic training job. The ApplicationMaster, which starts and ends processes, sets the target: the tasks that
 * shall train together. The coordinator changes the membership between two steps, without restarting tasks that stay.
 *
 * <p>All methods may be called by any thread, and none waits for the network.
 */
public interface Coordinator extends AutoCloseable {
    /**
     * Opens the server socket on a free port of all addresses, finds the checkpoint to resume from, and waits for tasks.
     */
    void start() throws IOException;

    /**
     * Calls the tasks of an earlier attempt here, which have gone on without a coordinator. If they still hold the parameters of
     * their last membership, training goes on from these; otherwise from the newest checkpoint, with the tasks that came.
     * Until one or the other is certain, no target is carried out. {@link CoordinatorListener#goesOn} tells which.
     *
     * @param tasks where each of them can be called
     * @param self what they are told
     * @param done runs then, on any thread
     */
    void takeOver(Collection<ServerAddress> tasks, Successor self, Runnable done);

    /**
     * Tells tasks of earlier attempts to leave. YARN has lost their containers, but their processes may still run. Call it before
     * {@link #takeOver}.
     *
     * @param self where tasks find this coordinator
     */
    void dismiss(Collection<ServerAddress> tasks, Successor self);

    /** The port that tasks connect to, valid after {@link #start}. */
    int port();

    /** The connected tasks that are ready and are not members. */
    SortedSet<TaskId> readyTasks();

    /** The connected tasks that are not ready yet, because they load their engine. */
    SortedSet<TaskId> loadingTasks();

    /**
     * Asks for a membership of exactly {@code members}. The job switches to it as soon as all of them are ready, and
     * steps on until then. Lost tasks are removed from the target. A later call replaces an earlier one that has not
     * been carried out. Members that are not in the target are told to end when others have their shards; ready tasks
     * that are not in it stay connected and wait.
     *
     * @param members any number of tasks; if they are under the job's minimum, the job waits
     */
    void target(Set<TaskId> members);

    /** Removes a task from the target and tells it to end: at once, or if it is a member, when it holds nothing. */
    void release(TaskId task);

    /** The process of a task has ended, and the job goes on without it. Unknown tasks are ignored. */
    void taskLost(TaskId task, String reason);

    /**
     * YARN has answered the ApplicationMaster. If YARN stops answering and no task on another host is heard, this process is taken
     * to be cut off from the network, and these tasks are not given up for being silent.
     */
    void yarnAnswers();

    /** Returns a snapshot of the job. */
    CoordinatorStatus status();

    /** Ends training early: after the current step, a checkpoint is written, and all tasks are told to end. */
    void stop(String reason);

    /** Closes sockets and threads at once. Tasks that are still connected end themselves. */
    @Override
    void close();
}
