package io.optimus.am.membership;

import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Servers take their shards of the next membership: from the servers that hold them, or all from the newest checkpoint.
 *
 * <p>Servers of the current membership keep their shards until the next membership steps. So a server that joins and is
 * lost during the transfers takes nothing with it: the shards are placed anew from the same servers. Servers that only
 * average begin without parameters. Without servers this state ends as it begins.
 */
final class PlacingState extends MembershipState {
    private final @Nullable HeldParameters held;
    private final Pause pause;
    private final @Nullable SavedCheckpoint restored;
    private final long step;
    /** The shards that move. */
    private final SortedMap<TaskId, Ranges> before;

    private final ModelLayout layout;
    private final Membership next;

    /**
     * Places shards for {@code members}, all of them ready.
     *
     * @param held what {@code current} holds; null: the newest checkpoint is loaded
     */
    PlacingState(
            MembershipMachine machine,
            Membership current,
            Set<TaskId> members,
            @Nullable HeldParameters held,
            Pause pause) {
        super(machine, current);
        this.held = held;
        this.pause = pause;
        this.before = held == null ? new TreeMap<>() : machine.holders().moving(current);
        this.layout = machine.holders().onServers(context.model());
        SortedMap<TaskId, Ranges> after = layout.assign(before, Membership.servers(members));
        this.next = new Membership(machine.nextNumber(), List.copyOf(Membership.workers(members)), after);
        this.restored = held == null ? context.saved().orElseThrow() : null;
        this.step = held == null ? context.saved().orElseThrow().step() : held.step();
    }

    @Override
    StateName name() {
        return StateName.PLACING;
    }

    @Override
    void begin() {
        if (restored != null) {
            context.restoredTo(restored, next.number());
            machine.undoCompletion();
        }
        machine.rememberFormer(current());
        SortedSet<TaskId> servers = new TreeSet<>(before.keySet());
        servers.addAll(next.servers().keySet());
        await(servers);
        servers.forEach(server -> context.send(server, order(server)));
        if (servers.isEmpty()) {
            placed();
        }
    }

    private Message.Place order(TaskId server) {
        Ranges holds = before.getOrDefault(server, Ranges.NONE);
        List<Message.Transfer> sends = new ArrayList<>();
        next.servers().forEach((other, wants) -> {
            Ranges moves = holds.and(wants);
            if (!other.equals(server) && !moves.isEmpty()) {
                sends.add(new Message.Transfer(context.address(other), moves));
            }
        });
        return new Message.Place(
                next.number(),
                current().number(),
                next.workers(),
                machine.synchronous() || held == null ? step : -1,
                next.servers().getOrDefault(server, Ranges.NONE),
                layout.updates(),
                sends,
                machine.holders().areServers() ? checkpoint() : "",
                machine.holders().areServers() && server.equals(next.servers().firstKey()));
    }

    /** The name of the checkpoint that is loaded; empty: none. */
    private String checkpoint() {
        return restored == null ? "" : restored.name();
    }

    @Override
    void received(TaskId task, FromTask message) {
        if (message instanceof Message.Placed placed && placed.number().equals(next.number()) && wasLastAwaited(task)) {
            placed();
        }
    }

    private void placed() {
        if (!target.areReady(next.workers()) && !machine.holders().areServers()) {
            placeRemaining(held, pause);
            return;
        }
        if (!target.areReady(next.workers())) {
            // The servers are placed already; the next placement only replaces the workers that are lost.
            setCurrent(next.without(target.notReadyOf(next.workers())));
            placeRemaining(HeldParameters.before(step, List.of()), pause);
            return;
        }
        SortedSet<TaskId> upToDate = held == null ? new TreeSet<>() : held.upToDate();
        OptionalLong waited = !upToDate.isEmpty()
                        && machine.keepsServers(current(), next.servers().keySet())
                ? OptionalLong.of(context.nanos() - sinceNanos())
                : OptionalLong.empty();
        machine.enter(new StartingState(machine, next, upToDate, step, pause, waited, checkpoint()));
    }

    @Override
    void repeat() {
        placeRemaining(held, pause);
    }

    @Override
    boolean notDone(TaskId task, MembershipNumber of, TaskId because) {
        if (storeFails() || !of.equals(next.number())) {
            return false;
        }
        if (machine.failsTooOften(because)) {
            return true;
        }
        placeRemaining(held, pause);
        return false;
    }

    @Override
    void lost(TaskId task, boolean wasAwaited) {
        // A server that has received its shard is needed; one that has sent all of it is not needed any more.
        boolean needed = next.servers().containsKey(task) || (before.containsKey(task) && wasAwaited);
        if (!needed) {
            if (awaitsNone()) {
                placed();
            }
        } else if (!machine.holders().areServers()
                || target.areReady(current().servers().keySet())) {
            placeRemaining(held, pause);
        } else {
            placeRemaining(null, pause.because(Cause.SERVER_LOST));
        }
    }

    @Override
    boolean loads(String checkpoint) {
        return restored != null && restored.name().equals(checkpoint);
    }

    @Override
    boolean isMember(TaskId task) {
        return super.isMember(task) || next.has(task);
    }
}
