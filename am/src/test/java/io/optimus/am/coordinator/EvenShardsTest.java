package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;

public final class EvenShardsTest {
    private static final int FLOATS = 1_009;

    @Test
    public void partitionsEvenlyAndMovesNoMoreThanNeeded() {
        Random random = new Random(5);
        SortedMap<TaskId, Ranges> held = new TreeMap<>();
        for (int round = 0; round < 200; round++) {
            TreeSet<TaskId> servers = new TreeSet<>();
            while (servers.isEmpty()) {
                for (int i = 0; i < 6; i++) {
                    if (random.nextBoolean()) {
                        servers.add(TaskId.server(i));
                    }
                }
            }
            SortedMap<TaskId, Ranges> next = EvenShards.assign(FLOATS, held, servers);
            assertThat(next.keySet()).isEqualTo(servers);
            List<Range> all = new ArrayList<>();
            next.values().forEach(ranges -> all.addAll(ranges.list()));
            assertThat(Ranges.of(all)).isEqualTo(new Ranges(List.of(new Range(0, FLOATS))));
            List<Integer> sizes = next.values().stream().map(Ranges::floats).toList();
            assertThat(Collections.max(sizes) - Collections.min(sizes)).isLessThanOrEqualTo(1);
            for (TaskId server : servers) {
                int before = held.getOrDefault(server, Ranges.NONE).floats();
                int kept = held.getOrDefault(server, Ranges.NONE)
                        .and(next.getOrDefault(server, Ranges.NONE))
                        .floats();
                assertThat(kept)
                        .isEqualTo(Math.min(
                                before, next.getOrDefault(server, Ranges.NONE).floats()));
            }
            held = next;
        }
    }
}
