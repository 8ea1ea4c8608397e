package io.optimus.am.membership;

import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.model.assignment.OptimusAssigner;
import io.optimus.model.assignment.ParameterAssigner;
import io.optimus.model.assignment.ParameterAssignment;
import io.optimus.model.assignment.ParameterRange;
import io.optimus.model.assignment.Reassigner;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Deals a model's blocks to servers: at first by {@link OptimusAssigner}, from then on by {@link Reassigner}, which
 * moves only what it must. A server's id there is its index here, which no other server of the job ever has.
 *
 * <p>Example: blocks of 60, 50 and 40 floats on ps-0 and ps-1: ps-0 holds [0,60) and [135,150), ps-1 holds [60,135).
 */
public final class ShardAssignment {
    private final List<Long> blockFloats;
    private final ParameterAssigner first = new OptimusAssigner();
    private final Reassigner changed = new Reassigner();

    public ShardAssignment(List<ParameterBlock> blocks) {
        this.blockFloats = blocks.stream().map(block -> (long) block.floats()).toList();
    }

    /**
     * Who shall hold what.
     *
     * @param held who holds what now: every float, or empty
     * @param servers parameter servers, one or more
     */
    public SortedMap<TaskId, Ranges> assign(SortedMap<TaskId, Ranges> held, SortedSet<TaskId> servers) {
        return byServer(
                held.isEmpty()
                        ? first.assign(blockFloats, ids(servers))
                        : changed.reassign(assignment(held), ids(servers)).assignment());
    }

    private ParameterAssignment assignment(SortedMap<TaskId, Ranges> held) {
        List<ParameterRange> ranges = new ArrayList<>();
        held.forEach((server, holds) -> holds.list()
                .forEach(range -> ranges.add(new ParameterRange(range.offset(), range.length(), server.index()))));
        return ParameterAssignment.ofRanges(blockFloats, ids(held.keySet()), ranges);
    }

    private static SortedMap<TaskId, Ranges> byServer(ParameterAssignment assignment) {
        SortedMap<Integer, List<Range>> lists = new TreeMap<>();
        assignment.servers().forEach(server -> lists.put(server, new ArrayList<>()));
        for (ParameterRange range : assignment.ranges()) {
            lists.computeIfAbsent(range.server(), server -> new ArrayList<>())
                    .add(new Range(Math.toIntExact(range.start()), Math.toIntExact(range.length())));
        }
        SortedMap<TaskId, Ranges> shards = new TreeMap<>();
        lists.forEach((server, ranges) -> shards.put(TaskId.server(server), Ranges.of(ranges)));
        return shards;
    }

    private static SortedSet<Integer> ids(Iterable<TaskId> servers) {
        SortedSet<Integer> ids = new TreeSet<>();
        servers.forEach(server -> ids.add(server.index()));
        return ids;
    }
}
