package io.optimus.am.membership;

import io.optimus.am.membership.MembershipMachine.End;
import io.optimus.am.wire.TaskId;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Too few tasks are ready. The last membership may still hold the parameters. */
final class WaitingState extends MembershipState {
    private @Nullable HeldParameters held;

    WaitingState(MembershipMachine machine, Membership current, @Nullable HeldParameters held) {
        super(machine, current);
        this.held = held;
    }

    @Override
    StateName name() {
        return StateName.WAITING;
    }

    @Override
    void begin() {
        // The caller that enters this state also calls changed().
    }

    @Override
    void changed() {
        if (machine.end() == End.COMPLETE && held == null) {
            // The steps that decided the stop are lost with the parameters.
            machine.undoCompletion();
            context.stopUndone();
        }
        boolean ends = machine.end() != End.NOT_YET;
        HeldParameters inMemory = held;
        if (inMemory != null && !inMemory.partlyApplied() && (ends || target.isTooSmall())) {
            // A checkpoint frees the tasks that hold them, so that they need not be kept until enough tasks are ready.
            machine.enter(new SavingState(machine, current(), inMemory, Pause.none(context.nanos())));
        } else if (machine.end() == End.EARLY) {
            leave("training was stopped");
        } else if (inMemory != null && target.isTooSmall()) {
            dropParameters();
        } else if (target.isReady()) {
            start();
        }
    }

    /** Goes on after {@code pause} if enough tasks are ready. */
    void goOn(Pause pause) {
        if (target.isReady()) {
            place(target.wanted(), held, pause);
        } else {
            // Otherwise asynchronous workers would go on stepping without a membership.
            SortedSet<TaskId> servers = Membership.servers(current().members());
            servers.retainAll(target.ready());
            machine.fence(servers);
            changed();
        }
    }

    /** The shards of the servers cannot be saved, so training will go on from the last checkpoint. */
    private void dropParameters() {
        SortedSet<TaskId> members = current().members();
        setCurrent(current().dissolved());
        held = null;
        machine.letGoUnwanted(members);
    }

    private void start() {
        if (held == null && context.saved().isEmpty()) {
            TaskId worker = Membership.workers(target.wanted()).first();
            machine.enter(new InitialisingState(machine, current(), worker));
        } else {
            place(target.wanted(), held, Pause.none(context.nanos()));
        }
    }

    @Override
    void lost(TaskId task, boolean wasAwaited) {
        HeldParameters before = held;
        held = before == null ? null : machine.holders().left(before, current(), target.ready());
        changed();
    }

    @Override
    boolean isMember(TaskId task) {
        return false;
    }

    @Override
    boolean canDoWithout(TaskId task) {
        SortedSet<TaskId> others = new TreeSet<>(target.ready());
        others.remove(task);
        return held == null || machine.holders().left(held, current(), others) != null;
    }
}
