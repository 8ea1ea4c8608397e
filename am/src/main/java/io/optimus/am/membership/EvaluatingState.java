package io.optimus.am.membership;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** One worker evaluates the final parameters. If it cannot, another worker does. */
final class EvaluatingState extends MembershipState {
    private final TaskId worker;
    private final Set<TaskId> unable;

    private EvaluatingState(MembershipMachine machine, Membership current, TaskId worker, Set<TaskId> unable) {
        super(machine, current);
        this.worker = worker;
        this.unable = unable;
    }

    /** Evaluates on the first worker that is not {@code unable}. Without one, the job ends without an evaluation. */
    static void evaluate(MembershipState from, Set<TaskId> unable) {
        SortedSet<TaskId> workers = Membership.workers(from.target.ready());
        workers.retainAll(from.current().workers());
        workers.removeAll(unable);
        if (workers.isEmpty()) {
            from.context.warned("The final model was not evaluated: no worker is left that can");
            from.leave("training is done");
        } else {
            from.machine.enter(new EvaluatingState(from.machine, from.current(), workers.first(), unable));
        }
    }

    @Override
    StateName name() {
        return StateName.EVALUATING;
    }

    @Override
    void begin() {
        await(List.of(worker));
        context.send(worker, new Message.Evaluate());
    }

    @Override
    void received(TaskId task, FromTask message) {
        if (message instanceof Message.Evaluated && task.equals(worker)) {
            leave("training is done");
        }
    }

    @Override
    boolean notDone(TaskId task, MembershipNumber of, TaskId because) {
        if (task.equals(worker)) {
            Set<TaskId> others = new TreeSet<>(unable);
            others.add(task);
            evaluate(this, others);
        }
        return false;
    }

    @Override
    boolean reports(TaskId reporting) {
        return reporting.equals(worker);
    }

    @Override
    void lost(TaskId task, boolean wasAwaited) {
        if (task.equals(worker)) {
            evaluate(this, unable);
        }
    }
}
