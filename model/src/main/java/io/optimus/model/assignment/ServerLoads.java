package io.optimus.model.assignment;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.IntPredicate;

/** The loads of the servers while blocks are assigned to them. Ties go to the server with the smallest id. */
final class ServerLoads {
    private final SortedSet<Integer> servers;
    private final int[] ids;
    private final long[] loads;
    private final int[] counts;
    private final List<Slice> slices = new ArrayList<>();

    ServerLoads(SortedSet<Integer> servers) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("An assignment needs at least one server, got none");
        }
        this.servers = servers;
        this.ids = servers.stream().mapToInt(Integer::intValue).toArray();
        this.loads = new long[ids.length];
        this.counts = new int[ids.length];
    }

    int servers() {
        return ids.length;
    }

    int id(int server) {
        return ids[server];
    }

    long load(int server) {
        return loads[server];
    }

    void put(int block, long offset, long length, int server) {
        slices.add(new Slice(block, offset, length, ids[server]));
        loads[server] += length;
        counts[server]++;
    }

    int leastLoaded() {
        int best = 0;
        for (int server = 1; server < ids.length; server++) {
            best = loads[server] < loads[best] ? server : best;
        }
        return best;
    }

    /** The server with the fewest slices among those that pass {@code may}; -1 where none does. */
    int fewestSlices(IntPredicate may) {
        int best = -1;
        for (int server = 0; server < ids.length; server++) {
            if (may.test(server) && (best < 0 || counts[server] < counts[best])) {
                best = server;
            }
        }
        return best;
    }

    /** The fullest server that stays within {@code limit} with {@code length} more; -1 where none does. */
    int bestFit(long length, long limit) {
        int best = -1;
        for (int server = 0; server < ids.length; server++) {
            if (loads[server] + length <= limit && (best < 0 || loads[server] > loads[best])) {
                best = server;
            }
        }
        return best;
    }

    /** Cuts the rest of a block so that each piece fills the least loaded server up to {@code limit}. */
    void slice(int block, long offset, long length, long limit) {
        while (length > 0) {
            int server = leastLoaded();
            long piece = Math.min(length, Math.max(1, limit - loads[server]));
            put(block, offset, piece, server);
            offset += piece;
            length -= piece;
        }
    }

    ParameterAssignment assignment(List<Long> blockFloats) {
        return new ParameterAssignment(blockFloats, servers, slices);
    }
}
