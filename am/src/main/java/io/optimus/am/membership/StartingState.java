package io.optimus.am.membership;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Workers begin their first step of the current membership. */
final class StartingState extends RunningState {
    private final SortedSet<TaskId> upToDate;
    private final long step;
    private final Pause pause;
    private final OptionalLong waitedNanos;
    private final String checkpoint;
    /** Answers of workers that had no step left to do, before all workers had started. */
    private final SortedMap<TaskId, Message.AtBoundary> atBoundary = new TreeMap<>();

    /**
     * Starts {@code current}.
     *
     * @param upToDate workers that have the newest parameters; the others read them first
     * @param step the first step
     * @param waitedNanos how long workers that did not stop waited for their servers; empty: all stopped, and the whole
     *     pause counts
     * @param checkpoint the checkpoint whose parameters {@code current} begins with; empty: none
     */
    StartingState(
            MembershipMachine machine,
            Membership current,
            SortedSet<TaskId> upToDate,
            long step,
            Pause pause,
            OptionalLong waitedNanos,
            String checkpoint) {
        super(machine, current);
        this.upToDate = upToDate;
        this.step = step;
        this.pause = pause;
        this.waitedNanos = waitedNanos;
        this.checkpoint = checkpoint;
    }

    @Override
    StateName name() {
        return StateName.STARTING;
    }

    @Override
    void begin() {
        List<TaskId> workers = current().workers();
        context.beginning(current(), step);
        await(workers);
        for (int rank = 0; rank < workers.size(); rank++) {
            context.send(workers.get(rank), order(rank));
        }
        machine.letGoFormer(current());
    }

    private Message.Begin order(int rank) {
        List<Message.ServerShard> shards = new ArrayList<>();
        current()
                .servers()
                .forEach((server, ranges) -> shards.add(new Message.ServerShard(context.address(server), ranges)));
        boolean pull = !upToDate.contains(current().workers().get(rank));
        return new Message.Begin(
                current().number(),
                step,
                context.endStep(),
                rank,
                current().allocation(),
                shards,
                pull,
                machine.holders().group(current(), upToDate, checkpoint, step, context));
    }

    @Override
    void received(TaskId task, FromTask message) {
        if (message instanceof Message.Started started
                && started.number().equals(current().number())
                && wasLastAwaited(task)) {
            machine.enter(new SteppingState(machine, current()));
            long nanos = waitedNanos.orElse(context.nanos() - pause.sinceNanos());
            context.resized(pause.resize(current().allocation(), step, nanos));
            context.stepping(true);
            machine.changed();
            atBoundary.forEach(machine::received);
        } else if (message instanceof Message.AtBoundary boundary
                && boundary.number().equals(current().number())) {
            atBoundary.put(task, boundary);
        }
    }

    @Override
    boolean loads(String name) {
        return checkpoint.equals(name);
    }

    @Override
    void repeat() {
        abortStep(pause);
    }

    /** The pause goes on. */
    @Override
    Pause pause(Cause cause) {
        return pause.because(cause);
    }
}
