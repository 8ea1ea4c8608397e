package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.engine.Communication;
import io.optimus.am.membership.Membership;
import io.optimus.am.membership.StateName;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Lets another coordinator take over a training when this one is lost: members keep what the next coordinator must know, and
 * training goes on from what members of an earlier attempt have kept.
 *
 * <p>Runs on the coordinator's thread.
 */
final class Failover {
    /** Time between two messages that tell the task that reports steps what to keep. */
    private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(2);
    /**
     * After so many messages to the reporting task alone, one goes to all members: that task may be lost together with this
     * coordinator.
     */
    private static final int KEPT_BY_ONE = 10;

    private final TrainingRun run;
    private final Communication communication;
    private final CoordinatorListener listener;
    private final Executor events;
    /** When a task was last told what to keep. */
    private long keptNanos;

    private int keptByOne;

    /**
     * The failover of one training.
     *
     * @param events runs what has to wait until the current event is over
     */
    Failover(TrainingRun run, Communication communication, CoordinatorListener listener, Executor events) {
        this.run = run;
        this.communication = communication;
        this.listener = listener;
        this.events = events;
    }

    /** Looks at the clock. */
    void tick() {
        StateName state = run.machine().state();
        boolean steps = state == StateName.STEPPING || state == StateName.CONNECTING;
        if (steps && run.nanos() - keptNanos > KEEP_NANOS) {
            Membership current = run.machine().current();
            keptByOne++;
            keep(current, keptByOne > KEPT_BY_ONE ? current.members() : List.of(reporter(current)));
        }
    }

    /** The member that reports the steps of all. */
    private TaskId reporter(Membership membership) {
        return communication == Communication.PARAMETER_SERVER
                ? membership.servers().firstKey()
                : membership.workers().get(0);
    }

    /** Tells {@code members} what a coordinator that takes over must know. */
    void keep(Membership membership, Collection<TaskId> members) {
        StepLosses losses = run.progress().losses();
        if (losses == null) {
            return;
        }
        keptNanos = run.nanos();
        keptByOne = members.size() > 1 ? 0 : keptByOne;
        StepLosses.State certain = losses.certain();
        List<Message.ServerShard> shards = membership.servers().entrySet().stream()
                .map(held -> new Message.ServerShard(run.address(held.getKey()), held.getValue()))
                .toList();
        Message.Keep keep = new Message.Keep(
                membership.number(),
                membership.workers(),
                shards,
                certain.step(),
                new KeptState(certain, run.decidedEnd().orElse(null)).write());
        members.forEach(member -> run.send(member, keep));
    }

    /** The last membership of an earlier attempt, if the tasks that have come back still hold its parameters. */
    Optional<ReturningTasks.Last> last(ReturningTasks back) {
        return back.last(communication == Communication.PARAMETER_SERVER);
    }

    /** Training will go on from what tasks have kept, once they are ready. */
    void restore(Message.Keep kept) {
        KeptState state = KeptState.read(kept.state());
        run.progress().resumeFrom(Optional.of(new SavedCheckpoint("", kept.step(), 0, state.losses())));
    }

    /** Training goes on in the last membership of an earlier attempt, as far as its {@code tasks} have come. */
    void takeOver(ReturningTasks.Last last, int tasks) {
        StepLosses losses = Objects.requireNonNull(run.progress().losses(), "a worker is ready");
        listener.goesOn((long) losses.progress(), true, tasks);
        last.applied().forEach(steps -> losses.add(steps.first(), steps.losses(), run.nanos()));
        SortedMap<TaskId, Ranges> servers = new TreeMap<>();
        last.kept().servers().forEach(shard -> servers.put(shard.server().task(), shard.ranges()));
        run.machine().takeOver(new Membership(last.kept().number(), last.kept().workers(), servers));
        KeptState.End decided = KeptState.read(last.kept().state()).end();
        if (decided != null) {
            run.endAs(decided);
        }
        // Training may have gone back before a step that the program had reported.
        last.reports().stream().filter(report -> report.step() <= losses.step()).forEach(run::reportedBefore);
        events.execute(run::lossesChanged);
    }

    /** The parameters of an earlier attempt are lost with some of its tasks; {@code tasks} have come. */
    void goOnWith(Set<TaskId> tasks) {
        listener.goesOn(run.progress().status().step(), false, tasks.size());
        run.machine().giveUp(tasks);
    }
}
