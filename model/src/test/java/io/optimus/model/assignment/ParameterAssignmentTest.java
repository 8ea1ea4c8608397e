package io.optimus.model.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.SharedData;
import io.optimus.model.TestCategory.ReferenceData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
@Category(ReferenceData.class)
public class ParameterAssignmentTest {
    private interface Rule extends BiFunction<List<Long>, SortedSet<Integer>, ParameterAssignment> {}

    @Test
    public void slicesABlockThatFitsNowhereWhole() {
        List<Long> blocks = List.of(60L, 50L, 40L);

        assertThat(ParameterAssigner.assign(blocks, servers(2)).loads()).isEqualTo(Map.of(0, 75L, 1, 75L));
        assertThat(BaselineAssigners.paper(blocks, servers(2)).loads()).isEqualTo(Map.of(0, 60L, 1, 90L));
    }

    @Property(trials = 200)
    public void fillsNoServerBeyondTheLimitAndCutsLessOftenThanThereAreServers(
            long seed, @InRange(minInt = 1, maxInt = 24) int servers, @InRange(minInt = 1, maxInt = 300) int blocks) {
        Random random = new Random(seed);
        List<Long> lengths = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            lengths.add(1 + (long) Math.exp(16 * random.nextDouble()));
        }

        ParameterAssignment assignment = ParameterAssigner.assign(lengths, servers(servers));

        long limit = ParameterAssigner.limit(ParameterAssigner.sum(lengths), servers);
        assertThat(assignment.loads().values()).allMatch(load -> load <= limit);
        assertThat(assignment.cuts()).isLessThan(servers);
    }

    @Test
    public void servesEveryFloatOnceInFlatOrder() {
        ParameterAssignment assignment = ParameterAssigner.assign(List.of(7L, 1000L, 3L, 90L), servers(4));
        long next = 0;
        for (ParameterRange range : assignment.ranges()) {
            assertThat(range.start()).isEqualTo(next);
            next += range.length();
        }
        assertThat(next).isEqualTo(1100);
        assertThat(ParameterAssignment.ofRanges(assignment.blockFloats(), assignment.servers(), assignment.ranges()))
                .isEqualTo(assignment);
    }

    @Test
    public void refusesGapsAndUnknownServers() {
        TreeSet<Integer> servers = new TreeSet<>(Set.of(0));
        assertThatThrownBy(() -> new ParameterAssignment(List.of(10L), servers, List.of(new Slice(0, 0, 9, 0))))
                .hasMessageContaining("Block 0 has 10");
        assertThatThrownBy(() -> new ParameterAssignment(List.of(10L), servers, List.of(new Slice(0, 0, 10, 1))))
                .hasMessageContaining("[1]");
    }

    @Test
    public void movesOnlyWhatHasToMove() {
        ParameterAssignment three = ParameterAssigner.assign(List.of(100L, 100L, 100L), servers(3));

        ParameterAssignment two = Reassigner.reassign(three, new TreeSet<>(Set.of(0, 1)));
        assertThat(movedFloats(three, two)).isEqualTo(100);
        assertThat(two.loads()).isEqualTo(Map.of(0, 150L, 1, 150L));

        ParameterAssignment joined = Reassigner.reassign(two, new TreeSet<>(Set.of(0, 1, 3)));
        assertThat(joined.loads()).isEqualTo(Map.of(0, 100L, 1, 100L, 3, 100L));
        assertThat(movedFloats(two, joined)).isEqualTo(100);
    }

    @Test
    public void movesNothingWhereTheServersStay() {
        ParameterAssignment held = ParameterAssigner.assign(List.of(500L, 400L, 300L), servers(3));
        assertThat(Reassigner.reassign(held, held.servers())).isEqualTo(held);
    }

    @Test
    public void dividesEveryNetworkWithinOnePercent() throws IOException {
        Map<String, Rule> rules = new LinkedHashMap<>();
        rules.put("ours", ParameterAssigner::assign);
        rules.put("paper", BaselineAssigners::paper);
        rules.put("round-robin", BaselineAssigners::roundRobin);
        rules.put("hash", BaselineAssigners::hash);
        StringBuilder table = new StringBuilder("network          servers");
        rules.keySet().forEach(name -> table.append(String.format(" | %-11s cuts requests spread", name)));
        networks().forEach((network, blocks) -> {
            for (int servers = 2; servers <= 20; servers++) {
                table.append(String.format("%n%-16s %7d", network, servers));
                for (Rule rule : rules.values()) {
                    ParameterAssignment made = rule.apply(blocks, servers(servers));
                    table.append(String.format(
                            " | %9.2f %% %4d %8d %5.0f%%",
                            100 * made.spread(), made.cuts(), made.requests(), 100 * made.requestSpread()));
                }
                ParameterAssignment made = ParameterAssigner.assign(blocks, servers(servers));
                assertThat(made.spread()).as(network + " on " + servers).isLessThanOrEqualTo(0.01);
                assertThat(made.cuts()).as(network + " on " + servers).isLessThan(servers);
            }
        });
        System.out.println(table);
    }

    @Test
    public void staysBalancedOverManyResizes() throws IOException {
        Random random = new Random(7);
        for (Map.Entry<String, List<Long>> network : networks().entrySet()) {
            ParameterAssignment held = ParameterAssigner.assign(network.getValue(), servers(4));
            for (int resize = 0; resize < 50; resize++) {
                TreeSet<Integer> servers = new TreeSet<>();
                int count = 1 + random.nextInt(12);
                while (servers.size() < count) {
                    servers.add(random.nextInt(15));
                }
                ParameterAssignment next = Reassigner.reassign(held, servers);
                assertThat(next.spread()).isLessThanOrEqualTo(0.01);
                assertThat(next.cuts()).isLessThanOrEqualTo(3 * servers.size());
                held = next;
            }
        }
    }

    /** The floats that are on another server afterwards. */
    private static long movedFloats(ParameterAssignment before, ParameterAssignment after) {
        long moved = before.totalFloats();
        for (ParameterRange old : before.ranges()) {
            for (ParameterRange now : after.ranges()) {
                long from = Math.max(old.start(), now.start());
                long to = Math.min(old.start() + old.length(), now.start() + now.length());
                moved -= old.server() == now.server() ? Math.max(0, to - from) : 0;
            }
        }
        return moved;
    }

    private static SortedSet<Integer> servers(int count) {
        return new TreeSet<>(IntStream.range(0, count).boxed().toList());
    }

    private static Map<String, List<Long>> networks() throws IOException {
        Map<String, List<Long>> networks = new LinkedHashMap<>();
        for (JsonNode network : new ObjectMapper()
                .readTree(SharedData.file("parameter-server/parameter-blocks.json")
                        .toFile())) {
            List<Long> blocks = new ArrayList<>();
            network.get("blocks").forEach(block -> blocks.add(block.asLong()));
            networks.put(network.get("network").asText(), blocks);
        }
        return networks;
    }
}
