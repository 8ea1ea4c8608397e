package io.optimus.model.assignment;

import java.util.List;
import java.util.SortedSet;

/** The rules that {@link ParameterAssigner} is compared with. */
final class BaselineAssigners {
    /** 2^64 divided by the golden ratio: neighbouring indices land far apart (Knuth, multiplicative hashing). */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private BaselineAssigners() {}

    /**
     * The rule as the paper states it (Optimus, section 5.3). With S floats on p servers and avg = S/p, longest block first: a
     * block of at most 1 % of avg goes to the server with the fewest slices; one of at most avg to the server where it leaves the
     * least room, and where none has room to the least loaded; a longer one is cut to fill servers up to avg, least loaded first.
     */
    static ParameterAssignment paper(List<Long> blockFloats, SortedSet<Integer> servers) {
        ServerLoads loads = new ServerLoads(servers);
        long total = ParameterAssigner.sum(blockFloats);
        long average = (total + loads.servers() - 1) / loads.servers();
        double small = ParameterAssigner.SMALL * total / loads.servers();
        for (int block : ParameterAssigner.descending(blockFloats)) {
            long length = blockFloats.get(block);
            if (length <= small) {
                loads.put(block, 0, length, loads.fewestSlices(server -> true));
            } else if (length <= average) {
                int fitting = loads.bestFit(length, average);
                loads.put(block, 0, length, fitting >= 0 ? fitting : loads.leastLoaded());
            } else {
                loads.slice(block, 0, length, average);
            }
        }
        return loads.assignment(blockFloats);
    }

    /** Assigns whole blocks to the servers in turn. */
    static ParameterAssignment roundRobin(List<Long> blockFloats, SortedSet<Integer> servers) {
        ServerLoads loads = new ServerLoads(servers);
        for (int block = 0; block < blockFloats.size(); block++) {
            loads.put(block, 0, blockFloats.get(block), block % loads.servers());
        }
        return loads.assignment(blockFloats);
    }

    /** Assigns whole blocks by a hash of their index, as key-value stores do. */
    static ParameterAssignment hash(List<Long> blockFloats, SortedSet<Integer> servers) {
        ServerLoads loads = new ServerLoads(servers);
        for (int block = 0; block < blockFloats.size(); block++) {
            long hash = ((block + 1) * GOLDEN) >>> 33;
            loads.put(block, 0, blockFloats.get(block), (int) (hash % loads.servers()));
        }
        return loads.assignment(blockFloats);
    }
}
