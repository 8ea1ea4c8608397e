package io.optimus.model.assignment;

import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Stream;

/**
 * The paper's rule (Optimus, section 5.3), with blocks that fit nowhere whole cut too.
 *
 * <p>With S floats on p servers and avg = S/p, longest block first, small ones last and then the
 * smallest first: a block of at most 1 % of avg goes to the server with
 * the fewest slices among those with room for it; one of at most avg to the server where it leaves the least room;
 * whatever fits nowhere whole is cut to fill servers, least loaded first. A server's room is avg plus 0.5 % of avg / p:
 * since no load exceeds that, no load is further than 0.5 % under avg either. A cut fills a server, so there
 * are fewer cuts than servers. Where it costs no cut, the large blocks leave every server equal room for the small ones,
 * so that the requests spread evenly too.
 *
 * <p>Example: blocks 60, 50, 40 on two servers, avg 75: 60 → server 0; 50 → server 1; 40 fits neither: 25 → server 1, 15 →
 * server 0. The paper's rule puts it whole on server 1: 60 and 90.
 */
public final class OptimusAssigner implements ParameterAssigner {
    /** At most this part of an average load counts as small: the requests matter then, not the bytes (Optimus). */
    static final double SMALL = 0.01;
    /** Room above the average, over all servers: keeps the spread under 1 % and spares cuts of a few floats. */
    private static final double SLACK = 0.005;

    @Override
    public String name() {
        return "optimus";
    }

    /** Floats that a server may hold. */
    static long limit(long total, int servers) {
        double average = (double) total / servers;
        return Math.max((total + servers - 1) / servers, (long) (average * (1 + SLACK / servers)));
    }

    @Override
    public ParameterAssignment assign(List<Long> blockFloats, SortedSet<Integer> servers) {
        long total = Blocks.sum(blockFloats);
        double small = SMALL * total / servers.size();
        long ofSmall = blockFloats.stream()
                .mapToLong(Long::longValue)
                .filter(length -> length <= small)
                .sum();
        // Room that large blocks leave for small ones spreads the requests; it can cost cuts. Fewer requests win.
        return Stream.of(ofSmall / servers.size(), 0L)
                .map(reserve -> assign(blockFloats, servers, small, reserve))
                .min(Comparator.comparingInt(ParameterAssignment::requests)
                        .thenComparingDouble(ParameterAssignment::requestSpread))
                .orElseThrow();
    }

    private static ParameterAssignment assign(
            List<Long> blockFloats, SortedSet<Integer> servers, double small, long reserve) {
        ServerLoads shelves = new ServerLoads(servers);
        long limit = limit(Blocks.sum(blockFloats), shelves.servers());
        for (int block : Blocks.largeThenSmall(blockFloats, small)) {
            long length = blockFloats.get(block);
            boolean isSmall = length <= small;
            long room = isSmall ? limit : limit - reserve;
            int whole = isSmall
                    ? shelves.fewestSlices(server -> shelves.load(server) + length <= room)
                    : shelves.bestFit(length, room);
            if (whole >= 0) {
                shelves.put(block, 0, length, whole);
            } else {
                shelves.slice(block, 0, length, room);
            }
        }
        return shelves.assignment(blockFloats);
    }
}
