package io.optimus.am.coordinator;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.util.Collections;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job at one moment.
 *
 * @param state what it is doing
 * @param step the next step; steps done
 * @param epoch passes over the training samples so far, fractions included; 0 before the first worker is ready
 * @param stepsPerEpoch 0 before the first worker is ready
 * @param recentLoss of the last loss point; empty before the first
 * @param membership current number
 * @param allocation of the current membership
 * @param stepsPerSecond of the job over the last few seconds of unbroken stepping; empty while unknown
 * @param tasks every connected task, members and not
 */
public record CoordinatorStatus(
        State state,
        long step,
        double epoch,
        double stepsPerEpoch,
        OptionalDouble recentLoss,
        MembershipNumber membership,
        Allocation allocation,
        OptionalDouble stepsPerSecond,
        SortedMap<TaskId, TaskStatus> tasks) {

    /** Copies. */
    public CoordinatorStatus {
        tasks = Collections.unmodifiableSortedMap(new TreeMap<>(tasks));
    }

    /** What a job is doing. */
    public enum State {
        /** Too few tasks are ready. */
        WAITING,
        /** Steps. */
        STEPPING,
        /** Between two memberships. */
        SWITCHING,
        /** Done with stepping: evaluates, saves, lets its tasks go. */
        ENDING,
        /** Over, finished or failed. */
        ENDED
    }

    /**
     * One task.
     *
     * @param member whether it is in the current membership
     * @param stepsPerSecond a worker's own steps while computing and waiting, a server's applied updates; 0 while idle
     */
    public record TaskStatus(boolean member, double stepsPerSecond) {}
}
