package io.optimus.am.membership;

import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** All tasks were told to end. */
final class LeavingState extends MembershipState {
    private final SortedSet<TaskId> members = new TreeSet<>();
    private final String reason;

    LeavingState(MembershipMachine machine, MembershipState before, String reason) {
        super(machine, before.current());
        this.reason = reason;
        for (TaskId task : target.ready()) {
            if (before.isMember(task) || before.current().has(task)) {
                members.add(task);
            }
        }
    }

    @Override
    StateName name() {
        return StateName.LEAVING;
    }

    @Override
    void begin() {
        await(target.ready());
        List.copyOf(target.ready()).forEach(task -> context.send(task, new Message.Leave(reason)));
        endIfAllAreGone();
    }

    @Override
    void lost(TaskId task, boolean wasAwaited) {
        endIfAllAreGone();
    }

    private void endIfAllAreGone() {
        if (target.ready().isEmpty()) {
            machine.enter(new Ended(machine, current()));
        }
    }

    @Override
    boolean isMember(TaskId task) {
        return members.contains(task);
    }

    /** All tasks have ended. */
    private static final class Ended extends MembershipState {
        Ended(MembershipMachine machine, Membership current) {
            super(machine, current);
        }

        @Override
        StateName name() {
            return StateName.ENDED;
        }

        @Override
        void begin() {
            context.ended();
        }

        @Override
        void lost(TaskId task, boolean wasAwaited) {}
    }
}
