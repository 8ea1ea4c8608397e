package io.optimus.am.membership;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ParameterBlock.Kind;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.Updates;
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
 * The parameters of a model as one flat vector, and their assignment to servers.
 *
 * @param blocks the tensors, one after the other
 * @param floats the number of floats in all of them
 * @param updates how servers update them
 */
public record ModelLayout(List<ParameterBlock> blocks, int floats, Updates updates) {
    /** No worker has described the model yet. */
    public static final ModelLayout UNKNOWN = new ModelLayout(List.of(), 0, Updates.NONE);

    /** The layout of a model with these tensors, whose optimizer has {@code groups} parameter groups. */
    public static ModelLayout of(List<ParameterBlock> blocks, Optimizer optimizer, int groups) {
        int floats = blocks.stream().mapToInt(ParameterBlock::floats).sum();
        return new ModelLayout(List.copyOf(blocks), floats, Updates.of(optimizer, groups, blocks));
    }

    /** The blocks that are averaged over the workers where these apply gradients: parameters and statistics. */
    ModelLayout averaged() {
        List<ParameterBlock> some = blocks.stream()
                .filter(block -> block.kind() == Kind.PARAMETER || block.kind() == Kind.STATISTIC)
                .toList();
        return of(some, updates.optimizer(), updates.groups());
    }

    /**
     * Assigns a shard to each server: the first time by {@link ParameterAssigner}, later by {@link Reassigner}, which
     * moves as few parameters as it must.
     *
     * <p>Example: blocks of 60, 50 and 40 floats on ps-0 and ps-1: ps-0 holds [0,60) and [135,150), ps-1 holds [60,135).
     *
     * @param held the shards now, which have every float; empty if no server holds parameters
     * @param servers the parameter servers; none: no float is assigned
     */
    SortedMap<TaskId, Ranges> assign(SortedMap<TaskId, Ranges> held, SortedSet<TaskId> servers) {
        if (servers.isEmpty()) {
            return new TreeMap<>();
        }
        List<Long> lengths = blocks.stream().map(block -> (long) block.floats()).toList();
        ParameterAssignment assignment = held.isEmpty()
                ? ParameterAssigner.assign(lengths, ids(servers))
                : Reassigner.reassign(assignment(lengths, held), ids(servers));
        SortedMap<Integer, List<Range>> ranges = new TreeMap<>();
        assignment.servers().forEach(server -> ranges.put(server, new ArrayList<>()));
        for (ParameterRange range : assignment.ranges()) {
            ranges.computeIfAbsent(range.server(), server -> new ArrayList<>())
                    .add(new Range(Math.toIntExact(range.start()), Math.toIntExact(range.length())));
        }
        SortedMap<TaskId, Ranges> shards = new TreeMap<>();
        ranges.forEach((server, list) -> shards.put(TaskId.server(server), Ranges.of(list)));
        return shards;
    }

    private static ParameterAssignment assignment(List<Long> lengths, SortedMap<TaskId, Ranges> held) {
        List<ParameterRange> ranges = new ArrayList<>();
        held.forEach((server, holds) -> holds.list()
                .forEach(range -> ranges.add(new ParameterRange(range.offset(), range.length(), server.index()))));
        return ParameterAssignment.ofRanges(lengths, ids(held.keySet()), ranges);
    }

    /** The index of a server identifies it: no other server of the job ever has the same one. */
    private static SortedSet<Integer> ids(Iterable<TaskId> servers) {
        SortedSet<Integer> ids = new TreeSet<>();
        servers.forEach(server -> ids.add(server.index()));
        return ids;
    }
}
