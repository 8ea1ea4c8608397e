package io.optimus.am.membership;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Breaks off what is in flight when a member is lost: servers refuse the old membership (FENCING) and say how far they
 * are. The step that comes next is the lowest of what they say; who has applied it already takes it back.
 */
final class Recovery {
    private final MembershipContext world;
    private final Stage stage;
    private final Succession succession;
    private final MembershipTarget candidates;
    private final PauseClock pause;
    private final List<Long> fencedAt = new ArrayList<>();
    private boolean serverLost;

    Recovery(
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

    /** A member is lost, or a step failed; whether nothing has to be waited for. */
    boolean breakOff(Cause why) {
        world.stepping(false);
        serverLost = why == Cause.SERVER_LOST;
        pause.because(why);
        pause.begin(world.nanos());
        succession.distrustWorkers();
        if (!succession.synchronous() && !serverLost) {
            succession.stopsAt(world.knownStep());
            succession.hold(true);
            return true;
        }
        fence();
        return stage.awaitsNobody();
    }

    private void fence() {
        MembershipNumber number = succession.advance();
        fencedAt.clear();
        SortedSet<TaskId> servers = new TreeSet<>(succession.current().servers().keySet());
        servers.retainAll(candidates.ready());
        candidates.notReady(succession.current().servers().keySet()).forEach(this::abandon);
        stage.enter(Phase.FENCING, servers, world.nanos());
        servers.forEach(server -> world.send(server, new Message.Fence(number)));
    }

    /** A server is lost while others are fenced. */
    void lostServer(TaskId server) {
        serverLost = true;
        pause.because(Cause.SERVER_LOST);
        abandon(server);
    }

    private void abandon(TaskId server) {
        for (TaskId worker : succession.current().workers()) {
            if (candidates.ready().contains(worker)) {
                world.send(worker, new Message.Abandon(List.of(server)));
            }
        }
    }

    /** A server's next step would be {@code step}. */
    void fenced(long step) {
        fencedAt.add(step);
    }

    /** Every server that is left has been fenced. */
    void settle() {
        if (serverLost) {
            succession.lose();
        } else if (succession.synchronous()) {
            succession.stopsAt(
                    fencedAt.stream().mapToLong(Long::longValue).min().orElse(succession.step()));
            if (fencedAt.stream().distinct().count() > 1) {
                succession.holdUnevenly();
            } else {
                succession.hold(false);
            }
            world.settledAt(succession.step());
        } else {
            succession.stopsAt(world.knownStep());
            succession.hold(false);
        }
    }

    /** Too few are left: servers keep what they hold, and nobody steps. */
    void giveUp(SortedSet<TaskId> left) {
        // Asynchronous workers would go on by themselves.
        MembershipNumber number = succession.advance();
        Membership.ofRole(left, Role.PARAMETER_SERVER).forEach(server -> world.send(server, new Message.Fence(number)));
        pause.forget();
        succession.pause();
    }
}
