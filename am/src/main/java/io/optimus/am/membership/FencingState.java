package io.optimus.am.membership;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A member is lost, or a step failed: servers refuse the current membership and say which step they would apply next.
 * The lowest of these steps comes next. A server that has applied it already takes it back.
 */
final class FencingState extends MembershipState {
    private final SortedSet<Long> steps = new TreeSet<>();
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
        SortedSet<TaskId> servers = new TreeSet<>(current().servers().keySet());
        servers.retainAll(target.ready());
        await(servers);
        target.notReadyOf(current().servers().keySet()).forEach(this::abandon);
        servers.forEach(server -> context.send(server, new Message.Fence(number)));
        if (servers.isEmpty()) {
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
            steps.add(answer.step());
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

    /** Returns null if a server is lost, since its shard is only in the last checkpoint. */
    private @Nullable HeldParameters held() {
        if (pause.cause() == Cause.SERVER_LOST) {
            return null;
        }
        HeldParameters held = new HeldParameters(steps.first(), false, steps.size() > 1);
        context.settledAt(held.step());
        return held;
    }
}
