package io.optimus.am.membership;

import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.TaskId;
import java.util.Optional;

/** The surroundings of a {@link MembershipMachine}: clock, tasks, checkpoints, and listeners. */
public interface MembershipContext {
    /** The time of a monotonic clock. */
    long nanos();

    /** Sends to a connected task. */
    void send(TaskId task, ToTask message);

    /** Returns the address of a ready server, or the one at which a ready worker lets other workers meet. */
    ServerAddress address(TaskId task);

    /** {@code membership} is about to begin with {@code step}, which decides the samples of its steps. */
    void beginning(Membership membership, long step);

    /** The samples of synchronous steps, from {@code step} on. */
    Message.Samples samplesFrom(long step);

    /** The parameters of the job's model. */
    ModelLayout model();

    /** Synchronous training ends before this step; {@link Long#MAX_VALUE} if it has no last step. */
    long endStep();

    /** The number of steps that are known to be applied. */
    long knownStep();

    /** The newest checkpoint, or empty before the initial parameters are saved. */
    Optional<SavedCheckpoint> saved();

    /** No step is in flight: the next one is {@code step}, and everything before it counts. */
    void settledAt(long step);

    /** The parameters are those of {@code checkpoint} again, from membership {@code next} on. */
    void restoredTo(SavedCheckpoint checkpoint, MembershipNumber next);

    /** Training is not complete after all: the parameters of its last steps are lost. */
    void stopUndone();

    /** Stepping has begun or ended. */
    void stepping(boolean begun);

    /** A new membership steps. */
    void resized(Resize resize);

    /** Training is complete and its last state is saved. */
    void keepModel();

    /** Something that the owner should know did not come about. */
    void warned(String what);

    /** All tasks are gone. */
    void ended();

    /** The machine goes to another state. */
    void entered(StateName from, StateName to);
}
