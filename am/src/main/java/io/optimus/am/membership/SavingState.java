package io.optimus.am.membership;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import java.util.Collection;
import java.util.SortedSet;

/** The parameters are saved, before the job ends or waits. */
final class SavingState extends MembershipState {
    /** How many broken transfers of live servers a job survives here. */
    private static final int MOST_REPEATS = 3;

    private final long step;
    private HeldParameters held;
    private final Pause pause;
    private int repeats;

    SavingState(MembershipMachine machine, Membership current, HeldParameters held, Pause pause) {
        super(machine, current);
        this.step = held.step();
        this.held = held;
        this.pause = pause;
    }

    @Override
    StateName name() {
        return StateName.SAVING;
    }

    @Override
    void begin() {
        await(savers());
        if (context.saved().filter(checkpoint -> checkpoint.step() == step).isPresent()) {
            saved();
        } else {
            orderSave();
        }
    }

    private Collection<TaskId> savers() {
        return machine.holders().savers(held, current());
    }

    /** Tasks that have saved already are ignored the second time. */
    private void orderSave() {
        Message.SaveNow order = new Message.SaveNow(current().number(), step);
        savers().forEach(saver -> context.send(saver, order));
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
                EvaluatingState.evaluate(this, machine.holders().unable(held, current()));
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
    void repeat() {
        orderSave();
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
        if (storeFails() || !of.equals(current().number())) {
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
        if (!savers().contains(task)) {
            return;
        }
        HeldParameters left = machine.holders().left(held, current(), target.ready());
        if (left == null) {
            abortStep(pause.because(Cause.SERVER_LOST));
        } else {
            held = left;
            await(savers());
            orderSave();
        }
    }
}
