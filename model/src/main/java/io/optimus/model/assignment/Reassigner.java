package io.optimus.model.assignment;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.SortedSet;

/**
 * Changes an assignment for a changed set of servers and moves only the necessary floats: all floats of servers that leave, and
 * those that exceed the room of servers that stay. They go to servers with room. The loads are as even as those of {@link
 * ParameterAssigner}.
 *
 * <p>Example: the servers 0, 1, 2 hold 100 floats each, and server 2 leaves: its floats go to 0 and 1, 50 each. Then server 3
 * joins: 0 and 1 give it 50 each, and keep the other 100 where they are.
 *
 * <p>Cuts accumulate over many resizes. Once there are more than three cuts per server, and more than in a fresh assignment,
 * the fresh one is taken, although it moves more.
 */
public final class Reassigner {
    /** Each cut costs a request per step; more cuts would cost more than moving floats once. */
    private static final int CUTS_PER_SERVER = 3;

    private Reassigner() {}

    /**
     * Divides the parameters among {@code servers}.
     *
     * @param held the assignment so far
     * @param servers ids of the servers from now on, not empty; an id that {@code held} names is the same server
     */
    public static ParameterAssignment reassign(ParameterAssignment held, SortedSet<Integer> servers) {
        ParameterAssignment kept = moveExcess(held, servers);
        if (kept.cuts() <= CUTS_PER_SERVER * servers.size()) {
            return kept;
        }
        ParameterAssignment fresh = ParameterAssigner.assign(held.blockFloats(), servers);
        return fresh.cuts() < kept.cuts() ? fresh : kept;
    }

    private static ParameterAssignment moveExcess(ParameterAssignment held, SortedSet<Integer> servers) {
        ServerLoads loads = new ServerLoads(servers);
        long limit = ParameterAssigner.limit(held.totalFloats(), servers.size());
        Deque<Slice> excess = new ArrayDeque<>();
        for (int server = 0; server < loads.servers(); server++) {
            keep(loads, server, limit, slicesOf(held, loads.id(server)), excess);
        }
        held.slices().stream()
                .filter(slice -> !servers.contains(slice.server()))
                .forEach(excess::add);
        excess.stream()
                .sorted(Comparator.comparingLong(Slice::length).reversed())
                .forEach(slice -> {
                    int whole = loads.bestFit(slice.length(), limit);
                    if (whole >= 0) {
                        loads.put(slice.block(), slice.offset(), slice.length(), whole);
                    } else {
                        loads.slice(slice.block(), slice.offset(), slice.length(), limit);
                    }
                });
        return loads.assignment(held.blockFloats());
    }

    /** Puts {@code slices} back, longest first, while there is room; the first that does not fit is cut. */
    private static void keep(ServerLoads loads, int server, long limit, List<Slice> slices, Deque<Slice> excess) {
        for (Slice slice : slices) {
            long kept = Math.min(slice.length(), limit - loads.load(server));
            if (kept > 0) {
                loads.put(slice.block(), slice.offset(), kept, server);
            }
            if (kept < slice.length()) {
                excess.add(new Slice(slice.block(), slice.offset() + kept, slice.length() - kept, slice.server()));
            }
        }
    }

    private static List<Slice> slicesOf(ParameterAssignment held, int server) {
        return held.slices().stream()
                .filter(slice -> slice.server() == server)
                .sorted(Comparator.comparingLong(Slice::length).reversed())
                .toList();
    }
}
