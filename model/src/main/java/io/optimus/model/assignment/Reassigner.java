package io.optimus.model.assignment;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.SortedSet;

/**
 * Takes an assignment to a changed set of servers and moves only what has to move: all of a server that leaves, and what
 * a staying server holds above its room; both go to where there is room. The loads are as even as those of {@link
 * OptimusAssigner}.
 *
 * <p>Example: 300 floats on the servers 0, 1, 2, server 2 leaves: its 100 floats go to 0 and 1, 50 each. Server 3 joins
 * then: 0 and 1 give it 50 each, and keep the other 100 where they are.
 *
 * <p>Cuts gather over many resizes. Once there are three times as many as servers, and more than a fresh assignment makes, the
 * fresh one is taken, which moves more and starts over.
 */
public final class Reassigner {
    /** Cuts a server that are put up with: each costs a request a step; more would cost more than moving floats once. */
    private static final int CUTS_PER_SERVER = 3;

    private final ParameterAssigner fresh = new OptimusAssigner();

    /**
     * Divides anew.
     *
     * @param held the assignment so far
     * @param servers ids of the servers from now on, not empty; an id that was there before is the same server
     */
    public Reassignment reassign(ParameterAssignment held, SortedSet<Integer> servers) {
        ParameterAssignment kept = moveExcess(held, servers);
        if (kept.cuts() > CUTS_PER_SERVER * servers.size()) {
            ParameterAssignment anew = fresh.assign(held.blockFloats(), servers);
            kept = anew.cuts() < kept.cuts() ? anew : kept;
        }
        return new Reassignment(kept, moves(held, kept));
    }

    private static ParameterAssignment moveExcess(ParameterAssignment held, SortedSet<Integer> servers) {
        ServerLoads shelves = new ServerLoads(servers);
        long limit = OptimusAssigner.limit(held.totalFloats(), servers.size());
        Deque<Slice> excess = new ArrayDeque<>();
        for (int server = 0; server < shelves.servers(); server++) {
            keep(shelves, server, limit, slicesOf(held, shelves.id(server)), excess);
        }
        held.slices().stream()
                .filter(slice -> !servers.contains(slice.server()))
                .forEach(excess::add);
        excess.stream()
                .sorted(Comparator.comparingLong(Slice::length).reversed())
                .forEach(slice -> {
                    int whole = shelves.bestFit(slice.length(), limit);
                    if (whole >= 0) {
                        shelves.put(slice.block(), slice.offset(), slice.length(), whole);
                    } else {
                        shelves.slice(slice.block(), slice.offset(), slice.length(), limit);
                    }
                });
        return shelves.assignment(held.blockFloats());
    }

    /** Puts {@code slices} back, longest first, as far as there is room; the first that does not fit is cut. */
    private static void keep(ServerLoads shelves, int server, long limit, List<Slice> slices, Deque<Slice> excess) {
        for (Slice slice : slices) {
            long kept = Math.min(slice.length(), limit - shelves.load(server));
            if (kept > 0) {
                shelves.put(slice.block(), slice.offset(), kept, server);
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

    private static List<ParameterMove> moves(ParameterAssignment before, ParameterAssignment after) {
        List<ParameterMove> moves = new ArrayList<>();
        List<ParameterRange> olds = before.ranges();
        List<ParameterRange> news = after.ranges();
        int next = 0;
        for (ParameterRange old : olds) {
            long end = old.start() + old.length();
            while (next < news.size() && news.get(next).start() < end) {
                ParameterRange now = news.get(next);
                long from = Math.max(old.start(), now.start());
                long to = Math.min(end, now.start() + now.length());
                if (old.server() != now.server()) {
                    moves.add(new ParameterMove(from, to - from, old.server(), now.server()));
                }
                if (now.start() + now.length() > end) {
                    break;
                }
                next++;
            }
        }
        return moves;
    }
}
