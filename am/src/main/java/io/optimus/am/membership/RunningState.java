package io.optimus.am.membership;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;

/** A state in which a step may be in flight, which the loss of a member breaks. */
abstract class RunningState extends MembershipState {
    RunningState(MembershipMachine machine, Membership current) {
        super(machine, current);
    }

    /** The pause that begins, or goes on, when the step in flight is given up. */
    Pause pause(Cause cause) {
        return new Pause(current().allocation(), cause, context.nanos());
    }

    @Override
    void lost(TaskId task, boolean wasAwaited) {
        if (current().has(task)) {
            abortStep(pause(task.role() == Role.PARAMETER_SERVER ? Cause.SERVER_LOST : Cause.WORKER_LOST));
        }
    }

    /** The cause of a failed step may not be known yet, such as the loss of a server. */
    @Override
    final boolean interrupted(TaskId worker, MembershipNumber of) {
        if (storeFails() || !of.equals(current().number())) {
            return false;
        }
        if (machine.failsTooOften(worker)) {
            return true;
        }
        abortStep(pause(Cause.WORKER_LOST));
        return false;
    }
}
