package io.optimus.am.membership;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TaskId;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Workers step. Those that lack a connection to a server of the next membership connect meanwhile. */
final class ConnectingState extends SteppingState {
    private final SortedSet<TaskId> next;
    private final MembershipNumber number;

    /** Connects the workers of {@code next}, all of them ready. */
    ConnectingState(MembershipMachine machine, Membership current, Set<TaskId> next) {
        super(machine, current);
        this.next = new TreeSet<>(next);
        this.number = machine.nextNumber();
    }

    @Override
    StateName name() {
        return StateName.CONNECTING;
    }

    @Override
    void begin() {
        SortedSet<TaskId> servers = Membership.servers(next);
        SortedSet<TaskId> connecting = Membership.workers(next);
        if (current().servers().keySet().containsAll(servers)) {
            connecting.removeAll(current().workers());
        }
        await(connecting);
        List<ServerAddress> addresses = servers.stream().map(context::address).toList();
        connecting.forEach(worker -> context.send(worker, new Message.Connect(number, addresses)));
        if (connecting.isEmpty()) {
            stop(next);
        }
    }

    @Override
    void received(TaskId task, FromTask message) {
        if (message instanceof Message.Connected connected
                && connected.number().equals(number)
                && wasLastAwaited(task)) {
            stop(next);
        } else {
            super.received(task, message);
        }
    }

    @Override
    void keepMembers() {
        machine.enter(new SteppingState(machine, current()));
    }

    /** Another membership follows anyway. */
    @Override
    void renew() {}

    @Override
    boolean connectsFor(Set<TaskId> members) {
        return next.equals(members);
    }

    @Override
    boolean makesNoProgress(long now, long nanos) {
        return false;
    }

    @Override
    void lost(TaskId task, boolean wasAwaited) {
        if (current().has(task)) {
            super.lost(task, wasAwaited);
        } else {
            // The rest of the target follows if it is ready.
            machine.enter(new SteppingState(machine, current()));
            machine.changed();
        }
    }
}
