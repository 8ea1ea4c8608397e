package io.optimus.am.membership;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Workers step. Those that lack a connection to a server of the next membership connect meanwhile, and servers make room for the
 * parameters that they get.
 */
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
        ModelLayout layout = machine.holders().onServers(context.model());
        NavigableMap<TaskId, Ranges> placed =
                new TreeMap<>(layout.assign(machine.holders().moving(current()), servers));
        if (machine.holders().areServers()) {
            current().servers().forEach(placed::remove);
        }
        await(connecting);
        await(placed.keySet());
        List<ServerAddress> addresses = servers.stream().map(context::address).toList();
        connecting.forEach(worker -> context.send(worker, new Message.Connect(number, addresses)));
        placed.forEach((server, hold) -> context.send(server, new Message.Prepare(number, hold, layout.updates())));
        if (awaitsNone()) {
            stop(next);
        }
    }

    @Override
    void received(TaskId task, FromTask message) {
        boolean isDone = (message instanceof Message.Connected connected
                        && connected.number().equals(number))
                || (message instanceof Message.Prepared prepared
                        && prepared.number().equals(number));
        if (!isDone) {
            super.received(task, message);
        } else if (wasLastAwaited(task)) {
            stop(next);
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
