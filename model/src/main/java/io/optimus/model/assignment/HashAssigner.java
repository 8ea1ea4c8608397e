package io.optimus.model.assignment;

import java.util.List;
import java.util.SortedSet;

/** Whole blocks by a hash of their index, as key-value stores do. */
public final class HashAssigner implements ParameterAssigner {
    /** 2^64 divided by the golden ratio: neighbouring indices land far apart (Knuth, multiplicative hashing). */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    @Override
    public String name() {
        return "hash";
    }

    @Override
    public ParameterAssignment assign(List<Long> blockFloats, SortedSet<Integer> servers) {
        ServerLoads shelves = new ServerLoads(servers);
        for (int block = 0; block < blockFloats.size(); block++) {
            long hash = ((block + 1) * GOLDEN) >>> 33;
            shelves.put(block, 0, blockFloats.get(block), (int) (hash % shelves.servers()));
        }
        return shelves.assignment(blockFloats);
    }
}
