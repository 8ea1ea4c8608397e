package io.optimus.am.membership;

import io.optimus.am.membership.MembershipMachine.End;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Workers step. Checks that they make progress: a connection between two tasks may have been dropped without notice. */
class SteppingState extends RunningState {
    private long step = -1;
    private long stepSinceNanos;

    SteppingState(MembershipMachine machine, Membership current) {
        super(machine, current);
    }

    @Override
    StateName name() {
        return StateName.STEPPING;
    }

    @Override
    void begin() {}

    @Override
    final void changed() {
        if (machine.end() != End.NOT_YET || target.isTooSmall()) {
            stop(null);
        } else if (target.wanted().equals(current().members())) {
            keepMembers();
        } else if (target.isReady() && !connectsFor(target.wanted())) {
            machine.enter(new ConnectingState(machine, current(), target.wanted()));
        }
    }

    /** Synchronous workers stop by themselves after the last step of the training. */
    @Override
    void received(TaskId task, FromTask message) {
        if (message instanceof Message.AtBoundary boundary
                && machine.synchronous()
                && boundary.number().equals(current().number())) {
            stop(null);
            machine.received(task, message);
        }
    }

    /** The target is the current membership. */
    void keepMembers() {}

    @Override
    void renew() {
        machine.enter(new StoppingState(machine, current(), current().members(), Cause.RENEWED));
    }

    /** Whether workers connect for this target already. */
    boolean connectsFor(Set<TaskId> members) {
        return false;
    }

    /** Ends the membership: another one with {@code members} follows, or none. */
    final void stop(@Nullable SortedSet<TaskId> members) {
        machine.enter(new StoppingState(machine, current(), members, Cause.PLANNED));
    }

    /** Returns true once in {@code nanos}. */
    @Override
    boolean makesNoProgress(long now, long nanos) {
        long nowNanos = context.nanos();
        if (now != step) {
            step = now;
            stepSinceNanos = nowNanos;
            return false;
        }
        if (nowNanos - stepSinceNanos <= nanos) {
            return false;
        }
        stepSinceNanos = nowNanos;
        return true;
    }

    @Override
    final void restartStep() {
        abortStep(pause(Cause.WORKER_LOST));
    }
}
