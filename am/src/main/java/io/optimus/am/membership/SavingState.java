package io.optimus.am.membership;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import java.util.Set;
import java.util.SortedSet;

/** Servers save their shards, before the job ends or waits. */
final class SavingState extends MembershipState {
    /** How many broken transfers of live servers a job survives here. */
    private static final int MOST_REPEATS = 3;

    private final long step;
    private final Pause pause;
    private int repeats;

    SavingState(MembershipMachine machine, Membership current, HeldParameters held, Pause pause) {
        super(machine, current);
        this.step = held.step();
        this.pause = pause;
    }

    @Override
    StateName name() {
        return StateName.SAVING;
    }

    @Override
    void begin() {
        await(current().servers().keySet());
        if (context.saved().filter(checkpoint -> checkpoint.step() == step).isPresent()) {
            saved();
        } else {
            orderSave();
        }
    }

    /** Servers that have saved already are ignored the second time. */
    private void orderSave() {
        Message.SaveNow order = new Message.SaveNow(current().number(), step);
        current().servers().keySet().forEach(server -> context.send(server, order));
    }

    @Override
    void saved(long savedStep) {
        if (savedStep == step) {
            saved();
        }
    }

    private void saved() {
        switch (machine.end()) {
            case COMPLETE -> {
                context.keepModel();
                EvaluatingState.evaluate(this, Set.of());
            }
            case EARLY -> leave("training was stopped");
            case NOT_YET -> {
                SortedSet<TaskId> members = current().members();
                machine.enter(new WaitingState(machine, current().dissolved(), null));
                machine.letGoUnwanted(members);
                machine.changed();
            }
        }
    }

    @Override
    boolean savesNow(CheckpointKey key) {
        return key.step() == step && key.number().equals(current().number());
    }

    @Override
    boolean saveAgain() {
        if (repeats == MOST_REPEATS) {
            return false;
        }
        repeats++;
        orderSave();
        return true;
    }

    @Override
    boolean notDone(TaskId task, MembershipNumber of, TaskId because) {
        if (!of.equals(current().number())) {
            return false;
        }
        if (machine.failsTooOften(because)) {
            return true;
        }
        orderSave();
        return false;
    }

    @Override
    void lost(TaskId task, boolean wasAwaited) {
        if (current().serves(task)) {
            abortStep(pause.because(Cause.SERVER_LOST));
        }
    }
}
