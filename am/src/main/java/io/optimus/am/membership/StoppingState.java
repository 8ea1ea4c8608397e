package io.optimus.am.membership;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Workers finish their step. Synchronous ones all stop after the same step, which the first worker tells them through
 * the servers, or by themselves after the last step of the training. Asynchronous ones stop one by one; if the servers
 * stay, only the workers that leave stop.
 */
final class StoppingState extends RunningState {
    private final @Nullable SortedSet<TaskId> next;
    private final Cause cause;
    private @Nullable Pause pause;

    /**
     * Stops {@code current}.
     *
     * @param next the members that follow; null: the parameters are saved, because the job waits or ends
     * @param cause why it stops
     */
    StoppingState(MembershipMachine machine, Membership current, @Nullable SortedSet<TaskId> next, Cause cause) {
        super(machine, current);
        this.next = next;
        this.cause = cause;
    }

    @Override
    StateName name() {
        return StateName.STOPPING;
    }

    @Override
    void begin() {
        SortedSet<TaskId> stopping = new TreeSet<>(current().workers());
        if (next != null && machine.keepsServers(current(), Membership.servers(next))) {
            stopping.removeAll(next);
        }
        await(stopping);
        Message.LastStep last = new Message.LastStep(current().number());
        if (stopping.isEmpty()) {
            stopped(context.knownStep());
        } else if (machine.synchronous()) {
            context.send(current().workers().get(0), last);
        } else {
            stopping.forEach(worker -> context.send(worker, last));
        }
    }

    /** Counts from the first worker that stopped. */
    @Override
    Pause pause(Cause because) {
        return pause == null ? super.pause(because) : pause.because(because);
    }

    @Override
    void received(TaskId task, FromTask message) {
        if (message instanceof Message.AtBoundary boundary
                && boundary.number().equals(current().number())) {
            pause = pause(cause);
            if (wasLastAwaited(task)) {
                stopped(machine.synchronous() ? boundary.step() : context.knownStep());
            }
        }
    }

    private void stopped(long step) {
        context.stepping(false);
        if (machine.synchronous()) {
            context.settledAt(step);
        }
        HeldParameters held = HeldParameters.before(step, current().workers());
        boolean isEnd = machine.synchronous() && step >= context.endStep();
        if (isEnd) {
            machine.complete();
        }
        if (next == null || isEnd) {
            machine.enter(new SavingState(machine, current(), held, pause(cause)));
        } else {
            next.retainAll(target.ready());
            place(target.isEnough(next) ? next : current().members(), held, pause(cause));
        }
    }
}
