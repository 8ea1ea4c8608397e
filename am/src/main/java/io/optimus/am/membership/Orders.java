package io.optimus.am.membership;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** Writes what servers and workers are told when a membership begins. */
final class Orders {
    private Orders() {}

    /**
     * What all servers are told when shards move.
     *
     * @param base the membership whose shards move
     * @param before who holds what in it; empty: all load the checkpoint
     * @param step to go back to, or −1
     * @param checkpoint to load, or empty
     */
    record Placement(
            MembershipNumber base, SortedMap<TaskId, Ranges> before, Membership next, long step, String checkpoint) {}

    /** To a server. */
    static Message.Place place(MembershipContext world, TaskId server, Placement placement) {
        Membership next = placement.next();
        Ranges holds = placement.before().getOrDefault(server, Ranges.NONE);
        List<Message.Transfer> sends = new ArrayList<>();
        next.servers().forEach((other, wants) -> {
            Ranges moves = holds.and(wants);
            if (!other.equals(server) && !moves.isEmpty()) {
                sends.add(new Message.Transfer(world.address(other), moves));
            }
        });
        return new Message.Place(
                next.number(),
                placement.base(),
                next.workers().size(),
                placement.step(),
                next.servers().getOrDefault(server, Ranges.NONE),
                world.statistics(),
                sends,
                placement.checkpoint(),
                server.equals(next.servers().firstKey()));
    }

    /** To the worker of {@code rank}. */
    static Message.Begin begin(MembershipContext world, Membership membership, int rank, long step, boolean pull) {
        List<Message.ServerShard> shards = new ArrayList<>();
        membership
                .servers()
                .forEach((server, ranges) -> shards.add(new Message.ServerShard(world.address(server), ranges)));
        return new Message.Begin(membership.number(), step, rank, membership.allocation(), shards, pull);
    }
}
