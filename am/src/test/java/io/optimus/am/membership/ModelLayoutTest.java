package io.optimus.am.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;

public final class ModelLayoutTest {
    private static final int[] LENGTHS = {432, 16, 16, 2304, 16, 4608, 32, 9216, 32, 640, 10};
    private static final int FLOATS = 17_322;

    private static ModelLayout layout(int... lengths) {
        return ModelLayout.of(blocks(lengths), new Optimizer.Sgd(1, 0, 0), 1);
    }

    private static List<ParameterBlock> blocks(int... lengths) {
        List<ParameterBlock> blocks = new ArrayList<>();
        for (int length : lengths) {
            String name = "block " + blocks.size();
            blocks.add(
                    blocks.size() % 3 == 1
                            ? ParameterBlock.statistic(name, length)
                            : ParameterBlock.parameter(name, length));
        }
        return blocks;
    }

    private static SortedSet<TaskId> servers(int... indices) {
        SortedSet<TaskId> servers = new TreeSet<>();
        for (int index : indices) {
            servers.add(TaskId.server(index));
        }
        return servers;
    }

    @Test
    public void assignsByTheParameterAssignmentRule() {
        SortedMap<TaskId, Ranges> shards = layout(60, 50, 40).assign(new TreeMap<>(), servers(0, 1));
        assertThat(shards).containsEntry(TaskId.server(0), Ranges.of(List.of(new Range(0, 60), new Range(135, 15))));
        assertThat(shards).containsEntry(TaskId.server(1), Ranges.of(List.of(new Range(60, 75))));
    }

    @Test
    public void movesOnlyWhatAJoiningServerTakes() {
        ModelLayout shards = layout(LENGTHS);
        SortedMap<TaskId, Ranges> before = shards.assign(new TreeMap<>(), servers(2, 5));
        SortedMap<TaskId, Ranges> after = shards.assign(before, servers(2, 5, 9));
        int kept = before.entrySet().stream()
                .mapToInt(entry -> entry.getValue()
                        .and(after.getOrDefault(entry.getKey(), Ranges.NONE))
                        .floats())
                .sum();
        assertThat(FLOATS - kept)
                .isEqualTo(after.getOrDefault(TaskId.server(9), Ranges.NONE).floats());
    }

    @Test
    public void coversEveryFloatOnceAndEvenlyOverManyChanges() {
        Random random = new Random(5);
        ModelLayout shards = layout(LENGTHS);
        SortedMap<TaskId, Ranges> held = new TreeMap<>();
        for (int round = 0; round < 200; round++) {
            SortedSet<TaskId> servers = servers(random.nextInt(6), random.nextInt(6), random.nextInt(6));
            held = shards.assign(held, servers);
            assertThat(held.keySet()).isEqualTo(servers);
            List<Range> all = new ArrayList<>();
            held.values().forEach(ranges -> all.addAll(ranges.list()));
            assertThat(Ranges.of(all)).isEqualTo(new Ranges(List.of(new Range(0, FLOATS))));
            List<Integer> sizes = held.values().stream().map(Ranges::floats).toList();
            assertThat(Collections.max(sizes) - Collections.min(sizes)).isLessThanOrEqualTo(FLOATS / 100);
        }
    }

    @Test
    public void leavesServersEmptyWhenThereAreMoreThanFloats() {
        SortedMap<TaskId, Ranges> shards = layout(1, 1).assign(new TreeMap<>(), servers(0, 1, 2));
        assertThat(shards).hasSize(3);
        assertThat(shards.values().stream().mapToInt(Ranges::floats).sum()).isEqualTo(2);
    }
}
