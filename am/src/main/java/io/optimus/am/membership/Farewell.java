package io.optimus.am.membership;

import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What comes after the last step: SAVING, EVALUATING, LEAVING. */
final class Farewell {
    /** Broken transfers of live servers that a job survives at its end. */
    private static final int MOST_SAVED_AGAIN = 3;

    private final MembershipContext world;
    private final Stage stage;
    private final Succession succession;
    private final MembershipTarget candidates;
    private int savedAgain;
    private final Set<TaskId> unableToEvaluate = new TreeSet<>();
    private TaskId evaluator = TaskId.worker(0);

    Farewell(MembershipContext world, Stage stage, Succession succession, MembershipTarget candidates) {
        this.world = world;
        this.stage = stage;
        this.succession = succession;
        this.candidates = candidates;
    }

    /** Saves what the servers hold; whether it is saved already. */
    boolean save() {
        Membership current = succession.current();
        long step = succession.step();
        stage.enter(Phase.SAVING, current.servers().keySet(), world.nanos());
        if (world.saved().filter(state -> state.step() == step).isPresent()) {
            return true;
        }
        savedAgain = 0;
        orderSave();
        return false;
    }

    /** A server's transfer broke: orders all to save once more; false: it was done often enough. */
    boolean saveAgain() {
        if (savedAgain == MOST_SAVED_AGAIN) {
            return false;
        }
        savedAgain++;
        orderSave();
        return true;
    }

    /** Servers that have saved already are not heard twice. */
    void orderSave() {
        Membership current = succession.current();
        Message.SaveNow order = new Message.SaveNow(current.number(), succession.step());
        current.servers().keySet().forEach(server -> world.send(server, order));
    }

    /** The evaluator cannot: another worker may. */
    void evaluateWithout(TaskId unable) {
        unableToEvaluate.add(unable);
        evaluate();
    }

    void evaluate() {
        SortedSet<TaskId> workers = Membership.ofRole(candidates.ready(), Role.WORKER);
        workers.retainAll(succession.current().workers());
        workers.removeAll(unableToEvaluate);
        if (workers.isEmpty()) {
            leave("training is done");
        } else {
            evaluator = workers.first();
            stage.enter(Phase.EVALUATING, Set.of(evaluator), world.nanos());
            world.send(evaluator, new Message.Evaluate());
        }
    }

    boolean evaluatesOn(TaskId task) {
        return stage.is(Phase.EVALUATING) && task.equals(evaluator);
    }

    void leave(String reason) {
        stage.enter(Phase.LEAVING, candidates.ready(), world.nanos());
        List.copyOf(candidates.ready()).forEach(task -> world.send(task, new Message.Leave(reason)));
        endIfAllAreGone();
    }

    void endIfAllAreGone() {
        if (candidates.ready().isEmpty()) {
            stage.enter(Phase.ENDED, Set.of(), world.nanos());
            world.ended();
        }
    }
}
