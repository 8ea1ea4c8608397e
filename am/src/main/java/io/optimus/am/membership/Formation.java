package io.optimus.am.membership;

import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Forms the next membership: PLACING, in which its servers take their shards, then STARTING, in which its workers take
 * it up.
 */
final class Formation {
    private final MembershipContext world;
    private final Stage stage;
    private final Succession succession;
    private final MembershipTarget candidates;
    private final PauseClock pause;
    private String checkpoint = "";

    Formation(
            MembershipContext world,
            Stage stage,
            Succession succession,
            MembershipTarget candidates,
            PauseClock pause) {
        this.world = world;
        this.stage = stage;
        this.succession = succession;
        this.candidates = candidates;
        this.pause = pause;
    }

    /**
     * Places shards for {@code members}, all of them ready: those that are held, or else those of the checkpoint.
     *
     * @return whether parameters of an earlier step were taken up again
     */
    boolean place(Set<TaskId> members) {
        boolean restores = !succession.held();
        SavedCheckpoint saved = restores ? world.saved().orElseThrow() : null;
        SortedMap<TaskId, Ranges> before =
                restores ? new TreeMap<>() : succession.current().servers();
        SortedMap<TaskId, Ranges> after = world.assign(before, Membership.ofRole(members, Role.PARAMETER_SERVER));
        Membership next =
                new Membership(succession.advance(), List.copyOf(Membership.ofRole(members, Role.WORKER)), after);
        if (saved != null) {
            succession.restore(saved);
            world.restoredTo(saved);
        }
        succession.prepare(next);
        pause.begin(world.nanos());
        SortedSet<TaskId> servers = new TreeSet<>(before.keySet());
        servers.addAll(after.keySet());
        stage.enter(Phase.PLACING, servers, world.nanos());
        long step = succession.synchronous() || restores ? succession.step() : -1;
        checkpoint = saved == null ? "" : saved.name();
        Orders.Placement placement =
                new Orders.Placement(succession.current().number(), before, next, step, checkpoint);
        servers.forEach(server -> world.send(server, Orders.place(world, server, placement)));
        return restores;
    }

    /** Whether shards are placed from the checkpoint of this name. */
    boolean restores(String name) {
        return checkpoint.equals(name);
    }

    /** All shards are placed; whether the workers are there to take them up. */
    boolean start() {
        Membership next = succession.next();
        if (!candidates.areReady(next.workers())) {
            // The servers are placed already: only the workers are dealt anew.
            succession.takeOverWithout(candidates.notReady(next.workers()));
            return false;
        }
        Membership before = succession.current();
        succession.takeOver();
        if (succession.onlyWorkersChange(before.members()) && succession.workersInStep()) {
            pause.onlyFor(world.nanos() - stage.sinceNanos());
        } else {
            pause.whole();
        }
        Membership current = succession.current();
        stage.enter(Phase.STARTING, current.workers(), world.nanos());
        begin(current, before.workers());
        return true;
    }

    private void begin(Membership current, Collection<TaskId> workedBefore) {
        for (int rank = 0; rank < current.workers().size(); rank++) {
            TaskId worker = current.workers().get(rank);
            boolean pull = !succession.workersInStep() || !workedBefore.contains(worker);
            world.send(worker, Orders.begin(world, current, rank, succession.step(), pull));
        }
        succession.dismiss(candidates.target()).forEach(task -> letGo(task, "it was released"));
    }

    /** All workers have started. */
    void complete() {
        stage.enter(Phase.STEPPING, Set.of(), world.nanos());
        world.resized(pause.end(succession.current().allocation(), succession.step(), world.nanos()));
        world.stepping(true);
    }

    /** Whether the loss of {@code task}, while shards are placed, takes parameters with it that next needs. */
    boolean needs(TaskId task, boolean awaited) {
        // A receiver has what it shall serve; a sender that is done has nothing any more.
        return succession.next().servers().containsKey(task) || (succession.serves(task) && awaited);
    }

    void letGo(TaskId task, String reason) {
        if (candidates.remove(task)) {
            world.send(task, new Message.Leave(reason));
        }
    }
}
