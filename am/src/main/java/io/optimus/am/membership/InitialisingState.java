package io.optimus.am.membership;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import java.util.List;

/** A worker saves initial parameters as the job's first checkpoint. */
final class InitialisingState extends MembershipState {
    private final TaskId worker;

    InitialisingState(MembershipMachine machine, Membership current, TaskId worker) {
        super(machine, current);
        this.worker = worker;
    }

    @Override
    StateName name() {
        return StateName.INITIALISING;
    }

    @Override
    void begin() {
        await(List.of(worker));
        repeat();
    }

    @Override
    void repeat() {
        context.send(worker, new Message.SaveInitial());
    }

    @Override
    void saved(long step) {
        waitForTasks(null);
    }

    @Override
    boolean savesNow(CheckpointKey key) {
        return true;
    }

    @Override
    boolean saveAgain() {
        // A worker whose transfer breaks ends itself, and another one saves initial parameters.
        return true;
    }

    /** A worker of a group tells so, and does not end itself. */
    @Override
    boolean notDone(TaskId task, MembershipNumber of, TaskId because) {
        if (storeFails() || !task.equals(worker)) {
            return false;
        }
        if (machine.failsTooOften(because)) {
            return true;
        }
        repeat();
        return false;
    }

    @Override
    void lost(TaskId task, boolean wasAwaited) {
        if (wasAwaited) {
            waitForTasks(null);
        }
    }

    @Override
    boolean isMember(TaskId task) {
        return false;
    }
}
