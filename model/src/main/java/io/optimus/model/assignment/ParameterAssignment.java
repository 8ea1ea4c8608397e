package io.optimus.model.assignment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The server of each parameter: every float of every block is on exactly one server.
 *
 * @param blockFloats lengths of the blocks in floats, each 1 or more
 * @param servers ids of all servers, including those without parameters
 * @param slices ordered by block and offset; neighbouring parts of a block on one server are one slice
 */
public record ParameterAssignment(List<Long> blockFloats, SortedSet<Integer> servers, List<Slice> slices) {
    /** Copies, joins neighbours, and throws if slices leave a gap, overlap, or name an unknown server. */
    public ParameterAssignment {
        blockFloats = List.copyOf(blockFloats);
        servers = Collections.unmodifiableSortedSet(new TreeSet<>(servers));
        slices = joined(slices);
        requireServers(servers, slices);
        requireCover(blockFloats, slices);
    }

    /**
     * The assignment with these ranges of the flat vector, in any order.
     *
     * @param blockFloats lengths of the blocks in floats
     * @param servers ids of all servers
     * @param ranges contain every float of the flat vector once
     */
    public static ParameterAssignment ofRanges(
            List<Long> blockFloats, SortedSet<Integer> servers, Collection<ParameterRange> ranges) {
        List<Slice> slices = new ArrayList<>();
        long start = 0;
        for (int block = 0; block < blockFloats.size(); block++) {
            long end = start + blockFloats.get(block);
            for (ParameterRange range : ranges) {
                long from = Math.max(start, range.start());
                long to = Math.min(end, range.start() + range.length());
                if (from < to) {
                    slices.add(new Slice(block, from - start, to - from, range.server()));
                }
            }
            start = end;
        }
        return new ParameterAssignment(blockFloats, servers, slices);
    }

    /** The floats of all blocks. */
    public long totalFloats() {
        return blockFloats.stream().mapToLong(Long::longValue).sum();
    }

    /** The ranges of the flat vector in its order; neighbours on one server are one range, also across blocks. */
    public List<ParameterRange> ranges() {
        long[] starts = starts();
        List<ParameterRange> ranges = new ArrayList<>();
        for (Slice slice : slices) {
            long start = starts[slice.block()] + slice.offset();
            int last = ranges.size() - 1;
            if (last >= 0
                    && ranges.get(last).server() == slice.server()
                    && ranges.get(last).start() + ranges.get(last).length() == start) {
                long length = ranges.get(last).length() + slice.length();
                ranges.set(last, new ParameterRange(ranges.get(last).start(), length, slice.server()));
            } else {
                ranges.add(new ParameterRange(start, slice.length(), slice.server()));
            }
        }
        return List.copyOf(ranges);
    }

    /** The floats of each server. */
    public SortedMap<Integer, Long> loads() {
        return byServer(Slice::length);
    }

    /** The update requests of one step by server, one for each slice. */
    public SortedMap<Integer, Long> requestsByServer() {
        return byServer(slice -> 1L);
    }

    /** The update requests of one worker in one step, to all servers. */
    public int requests() {
        return slices.size();
    }

    /** The number of cuts of blocks: slices less blocks. */
    public int cuts() {
        return slices.size() - blockFloats.size();
    }

    /** The largest load less the smallest, as a part of the average load; 0 is perfect. */
    public double spread() {
        return spread(loads().values());
    }

    /** The most requests to one server less the fewest, as a part of their average. */
    public double requestSpread() {
        return spread(requestsByServer().values());
    }

    /** The first float of each block in the flat vector. */
    long[] starts() {
        long[] starts = new long[blockFloats.size()];
        for (int block = 1; block < starts.length; block++) {
            starts[block] = starts[block - 1] + blockFloats.get(block - 1);
        }
        return starts;
    }

    private SortedMap<Integer, Long> byServer(ToLongFunction<Slice> amount) {
        TreeMap<Integer, Long> sums = new TreeMap<>();
        servers.forEach(server -> sums.put(server, 0L));
        slices.forEach(slice -> sums.merge(slice.server(), amount.applyAsLong(slice), Long::sum));
        return Collections.unmodifiableSortedMap(sums);
    }

    private static double spread(Collection<Long> amounts) {
        double sum = amounts.stream().mapToLong(Long::longValue).sum();
        return sum == 0 ? 0 : (Collections.max(amounts) - Collections.min(amounts)) * amounts.size() / sum;
    }

    private static List<Slice> joined(List<Slice> slices) {
        List<Slice> sorted = slices.stream()
                .sorted(Comparator.comparingInt(Slice::block).thenComparingLong(Slice::offset))
                .toList();
        List<Slice> joined = new ArrayList<>();
        for (Slice slice : sorted) {
            int last = joined.size() - 1;
            if (last >= 0 && follows(joined.get(last), slice)) {
                Slice before = joined.get(last);
                joined.set(
                        last,
                        new Slice(slice.block(), before.offset(), before.length() + slice.length(), slice.server()));
            } else {
                joined.add(slice);
            }
        }
        return List.copyOf(joined);
    }

    private static boolean follows(Slice before, Slice slice) {
        return before.block() == slice.block() && before.server() == slice.server() && before.end() == slice.offset();
    }

    private static void requireServers(SortedSet<Integer> servers, List<Slice> slices) {
        SortedSet<Integer> unknown = slices.stream().map(Slice::server).collect(Collectors.toCollection(TreeSet::new));
        unknown.removeAll(servers);
        if (servers.isEmpty() || !unknown.isEmpty()) {
            throw new IllegalArgumentException("Slices are on servers " + unknown + ", the servers are " + servers);
        }
    }

    private static void requireCover(List<Long> blockFloats, List<Slice> slices) {
        long[] covered = new long[blockFloats.size()];
        for (Slice slice : slices) {
            if (slice.block() >= covered.length || covered[slice.block()] != slice.offset()) {
                throw new IllegalArgumentException("Parameters overlap, are left out, or do not exist before " + slice);
            }
            covered[slice.block()] = slice.end();
        }
        for (int block = 0; block < covered.length; block++) {
            if (blockFloats.get(block) < 1 || covered[block] != blockFloats.get(block)) {
                throw new IllegalArgumentException("Block " + block + " has " + blockFloats.get(block)
                        + " floats, must have 1 or more; servers hold " + covered[block]);
            }
        }
    }
}
