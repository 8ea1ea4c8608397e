package io.optimus.model.assignment;

import java.util.List;
import java.util.SortedSet;

/** Whole blocks to the servers in turn. */
public final class RoundRobinAssigner implements ParameterAssigner {
    @Override
    public String name() {
        return "round-robin";
    }

    @Override
    public ParameterAssignment assign(List<Long> blockFloats, SortedSet<Integer> servers) {
        ServerLoads shelves = new ServerLoads(servers);
        for (int block = 0; block < blockFloats.size(); block++) {
            shelves.put(block, 0, blockFloats.get(block), block % shelves.servers());
        }
        return shelves.assignment(blockFloats);
    }
}
