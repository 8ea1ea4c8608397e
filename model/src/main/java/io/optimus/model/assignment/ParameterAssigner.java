package io.optimus.model.assignment;

import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Divides a model's parameter blocks among parameter servers by the paper's rule (Optimus, section 5.3), but also cuts blocks that
 * fit nowhere whole. Pure and deterministic.
 *
 * <p>With S floats on p servers, avg = S/p. The longest blocks come first. Small blocks come last, the smallest of them first.
 * A block of at most 1 % of avg goes to the server with the fewest slices among those with room for it. A larger block of at
 * most avg goes to the server where it leaves the least room. A block that fits nowhere whole is cut to fill servers, least
 * loaded first. A server holds at most avg plus 0.5 % of avg / p, so no load is more than 0.5 % below avg either. Each cut
 * fills a server, so there are fewer cuts than servers. If it costs no cut, the large blocks leave every server equal room for
 * the small ones, which spreads the requests evenly too.
 *
 * <p>Example: blocks 60, 50, 40 on two servers, avg 75: 60 → server 0; 50 → server 1; 40 fits neither: 25 → server 1, 15 →
 * server 0. The paper's rule puts the 40 whole on server 1: the loads are 60 and 90.
 */
public final class ParameterAssigner {
    /** A block of at most this part of an average load is small: its request matters, not its bytes (Optimus). */
    static final double SMALL = 0.01;

    /** Room above the average load, in sum over all servers; keeps the spread under 1 % and avoids cuts of a few floats. */
    private static final double SLACK = 0.005;

    private ParameterAssigner() {}

    /**
     * Divides the blocks.
     *
     * @param blockFloats lengths of the blocks in floats, each 1 or more, in the order of the flat parameter vector
     * @param servers ids of the servers, not empty
     */
    public static ParameterAssignment assign(List<Long> blockFloats, SortedSet<Integer> servers) {
        double small = SMALL * sum(blockFloats) / servers.size();
        long ofSmall = blockFloats.stream()
                .mapToLong(Long::longValue)
                .filter(length -> length <= small)
                .sum();
        // Room left for small blocks spreads the requests, but may add cuts. Fewer requests win.
        return Stream.of(ofSmall / servers.size(), 0L)
                .map(reserve -> assign(blockFloats, servers, small, reserve))
                .min(Comparator.comparingInt(ParameterAssignment::requests)
                        .thenComparingDouble(ParameterAssignment::requestSpread))
                .orElseThrow();
    }

    private static ParameterAssignment assign(
            List<Long> blockFloats, SortedSet<Integer> servers, double small, long reserve) {
        ServerLoads loads = new ServerLoads(servers);
        long limit = limit(sum(blockFloats), loads.servers());
        for (int block : largeThenSmall(blockFloats, small)) {
            long length = blockFloats.get(block);
            boolean isSmall = length <= small;
            long room = isSmall ? limit : limit - reserve;
            int whole = isSmall
                    ? loads.fewestSlices(server -> loads.load(server) + length <= room)
                    : loads.bestFit(length, room);
            if (whole >= 0) {
                loads.put(block, 0, length, whole);
            } else {
                loads.slice(block, 0, length, room);
            }
        }
        return loads.assignment(blockFloats);
    }

    /** The most floats that a server may hold. */
    static long limit(long total, int servers) {
        double average = (double) total / servers;
        return Math.max((total + servers - 1) / servers, (long) (average * (1 + SLACK / servers)));
    }

    static long sum(List<Long> blockFloats) {
        return blockFloats.stream().mapToLong(Long::longValue).sum();
    }

    /** Indices of the blocks, longest first, equal ones in their order. */
    static int[] descending(List<Long> blockFloats) {
        return IntStream.range(0, blockFloats.size())
                .boxed()
                .sorted(Comparator.comparing(blockFloats::get, Comparator.reverseOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * The indices of the blocks longer than {@code small}, longest first, then of the others, shortest first: the many tiny
     * ones even out the number of requests, the last ones the bytes.
     */
    private static int[] largeThenSmall(List<Long> blockFloats, double small) {
        int[] order = descending(blockFloats);
        int large = 0;
        while (large < order.length && blockFloats.get(order[large]) > small) {
            large++;
        }
        for (int i = large, j = order.length - 1; i < j; i++, j--) {
            int block = order[i];
            order[i] = order[j];
            order[j] = block;
        }
        return order;
    }
}
