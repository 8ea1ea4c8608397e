package io.optimus.am.membership;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A member is lost, or a step failed: the tasks that hold parameters give up the step in flight, refuse the current
 * membership, and say which step they would do next.
 */
final class FencingState extends MembershipState {
    private final SortedMap<TaskId, Long> steps = new TreeMap<>();
    private final MembershipNumber number;
    private Pause pause;

    FencingState(MembershipMachine machine, Membership current, Pause pause) {
        super(machine, current);
        this.pause = pause;
        this.number = machine.nextNumber();
    }

    @Override
    StateName name() {
        return StateName.FENCING;
    }

    @Override
    void begin() {
        SortedSet<TaskId> holders = machine.holders().of(current());
        holders.retainAll(target.ready());
        await(holders);
        target.notReadyOf(current().servers().keySet()).forEach(this::abandon);
        holders.forEach(holder -> context.send(holder, new Message.Fence(number)));
        if (holders.isEmpty()) {
            fenced();
        }
    }

    /** Workers stop waiting for a server that is gone. */
    private void abandon(TaskId server) {
        for (TaskId worker : current().workers()) {
            if (target.ready().contains(worker)) {
                context.send(worker, new Message.Abandon(List.of(server)));
            }
        }
    }

    @Override
    void received(TaskId task, FromTask message) {
        if (message instanceof Message.Fenced answer && answer.number().equals(number)) {
            steps.put(task, answer.step());
            if (wasLastAwaited(task)) {
                fenced();
            }
        }
    }

    @Override
    void lost(TaskId task, boolean wasAwaited) {
        if (current().serves(task)) {
            pause = pause.because(Cause.SERVER_LOST);
            abandon(task);
        }
        if (awaitsNone()) {
            fenced();
        }
    }

    private void fenced() {
        placeRemaining(held(), pause);
    }

    /** Returns null if parameters are lost, which then are only in the last checkpoint. */
    private @Nullable HeldParameters held() {
        steps.keySet().retainAll(target.ready());
        HeldParameters held = machine.holders().fenced(steps, pause.cause());
        if (held != null) {
            context.settledAt(held.step());
        }
        return held;
    }
}
