package io.optimus.model.assignment;

import java.util.List;
import java.util.SortedSet;

/**
 * The rule as the paper states it (Optimus, section 5.3), the baseline of {@link OptimusAssigner}.
 *
 * <p>With S floats on p servers and avg = S/p, longest block first: a block of at most 1 % of avg goes to the server with
 * the fewest slices; one of at most avg to the server where it leaves the least room, where none has room to the least
 * loaded; a longer one is cut to fill servers up to avg, least loaded first.
 */
public final class PaperAssigner implements ParameterAssigner {
    @Override
    public String name() {
        return "paper";
    }

    @Override
    public ParameterAssignment assign(List<Long> blockFloats, SortedSet<Integer> servers) {
        ServerLoads shelves = new ServerLoads(servers);
        long total = Blocks.sum(blockFloats);
        long average = (total + shelves.servers() - 1) / shelves.servers();
        double small = OptimusAssigner.SMALL * total / shelves.servers();
        for (int block : Blocks.descending(blockFloats)) {
            long length = blockFloats.get(block);
            if (length <= small) {
                shelves.put(block, 0, length, shelves.fewestSlices(server -> true));
            } else if (length <= average) {
                int fitting = shelves.bestFit(length, average);
                shelves.put(block, 0, length, fitting >= 0 ? fitting : shelves.leastLoaded());
            } else {
                shelves.slice(block, 0, length, average);
            }
        }
        return shelves.assignment(blockFloats);
    }
}
