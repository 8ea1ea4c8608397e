package io.optimus.am.coordinator;

import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.StepTotals;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A snapshot of a job.
 *
 * @param state what the job does
 * @param progress how far training is
 * @param program what an owner's program decides; empty before the first worker is ready, or if the job file decides
 * @param membership the number of the current membership
 * @param allocation the tasks of the current membership
 * @param tasks all connected tasks, members or not
 * @param refusedCallers callers so far that did not prove that they belong to the job
 */
public record CoordinatorStatus(
        State state,
        Progress progress,
        Optional<ProgramSettings> program,
        MembershipNumber membership,
        Allocation allocation,
        SortedMap<TaskId, TaskStatus> tasks,
        long refusedCallers) {

    /** A snapshot without callers. */
    public CoordinatorStatus(
            State state,
            Progress progress,
            Optional<ProgramSettings> program,
            MembershipNumber membership,
            Allocation allocation,
            SortedMap<TaskId, TaskStatus> tasks) {
        this(state, progress, program, membership, allocation, tasks, 0);
    }

    /** The same where so many callers were refused. */
    CoordinatorStatus withRefusedCallers(long refused) {
        return new CoordinatorStatus(state, progress, program, membership, allocation, tasks, refused);
    }

    public CoordinatorStatus {
        tasks = Collections.unmodifiableSortedMap(new TreeMap<>(tasks));
    }

    /**
     * The progress of training. A job that adapts its batch counts in steps of the initial batch. A step of a larger batch
     * counts as several of these; the gradient's noise decides how many.
     *
     * @param step the next step, which is the number of steps done
     * @param epoch passes over the training samples so far, fractions included; 0 before the first worker is ready
     * @param stepsPerEpoch steps in one epoch; if the job adapts its batch, the mean over all epochs, as far as is known; 0
     *     before the first worker is ready
     * @param recentLoss the last loss point; empty before the first
     * @param stepsPerSecond the speed over the last few seconds of uninterrupted stepping; empty while unknown
     * @param batch the batch of a job that adapts it; empty if the batch is fixed, or before the first worker is ready
     */
    public record Progress(
            long step,
            double epoch,
            double stepsPerEpoch,
            OptionalDouble recentLoss,
            OptionalDouble stepsPerSecond,
            Optional<CurrentBatch> batch) {
        /** The progress before the first worker is ready. */
        public static Progress before(long step) {
            return new Progress(step, 0, 0, OptionalDouble.empty(), OptionalDouble.empty(), Optional.empty());
        }
    }

    /** What a job does. */
    public enum State {
        /** Too few tasks are ready. */
        WAITING,
        /** Workers step. */
        STEPPING,
        /** The job goes from one membership to the next. */
        SWITCHING,
        /** Stepping is over: servers save, a worker evaluates, and tasks end. */
        ENDING,
        /** The job has finished or failed. */
        ENDED
    }

    /**
     * The status of one task.
     *
     * @param member whether it is in the current membership
     * @param stepsPerSecond a worker's steps or a server's updates, while computing and waiting; 0 while idle
     * @param totals a worker's steps whose time is known
     */
    public record TaskStatus(boolean member, double stepsPerSecond, StepTotals totals) {}
}
