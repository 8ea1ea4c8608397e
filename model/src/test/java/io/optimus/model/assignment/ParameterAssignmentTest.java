package io.optimus.model.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.SharedData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class ParameterAssignmentTest {
    private final ParameterAssigner optimus = new OptimusAssigner();
    private final Reassigner reassigner = new Reassigner();

    @Test
    public void slicesABlockThatFitsNowhereWhole() {
        List<Long> blocks = List.of(60L, 50L, 40L);

        assertThat(optimus.assign(blocks, 2).loads()).isEqualTo(Map.of(0, 75L, 1, 75L));
        assertThat(new PaperAssigner().assign(blocks, 2).loads()).isEqualTo(Map.of(0, 60L, 1, 90L));
    }

    @Property(trials = 200)
    public void fillsNoServerBeyondTheLimitAndCutsLessOftenThanThereAreServers(
            long seed, @InRange(minInt = 1, maxInt = 24) int servers, @InRange(minInt = 1, maxInt = 300) int blocks) {
        Random random = new Random(seed);
        List<Long> lengths = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            lengths.add(1 + (long) Math.exp(16 * random.nextDouble()));
        }

        ParameterAssignment assignment = optimus.assign(lengths, servers);

        long limit = OptimusAssigner.limit(Blocks.sum(lengths), servers);
        assertThat(assignment.loads().values()).allMatch(load -> load <= limit);
        assertThat(assignment.cuts()).isLessThan(servers);
    }

    @Test
    public void servesEveryFloatOnceInFlatOrder() {
        ParameterAssignment assignment = optimus.assign(List.of(7L, 1000L, 3L, 90L), 4);
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
        ParameterAssignment three = optimus.assign(List.of(100L, 100L, 100L), 3);

        Reassignment two = reassigner.reassign(three, new TreeSet<>(Set.of(0, 1)));
        assertThat(two.movedFloats()).isEqualTo(100);
        assertThat(two.assignment().loads()).isEqualTo(Map.of(0, 150L, 1, 150L));

        Reassignment joined = reassigner.reassign(two.assignment(), new TreeSet<>(Set.of(0, 1, 3)));
        assertThat(joined.moves()).allSatisfy(move -> assertThat(move.to()).isEqualTo(3));
        assertThat(joined.movedFloats()).isEqualTo(100);
    }

    @Test
    public void movesNothingWhereTheServersStay() {
        ParameterAssignment held = optimus.assign(List.of(500L, 400L, 300L), 3);
        assertThat(reassigner.reassign(held, held.servers()).moves()).isEmpty();
    }

    @Test
    public void dividesEveryNetworkWithinOnePercent() throws IOException {
        List<ParameterAssigner> rules =
                List.of(optimus, new PaperAssigner(), new RoundRobinAssigner(), new HashAssigner());
        StringBuilder table = new StringBuilder("network          servers");
        rules.forEach(rule -> table.append(String.format(" | %-11s cuts requests spread", rule.name())));
        networks().forEach((network, blocks) -> {
            for (int servers = 2; servers <= 20; servers++) {
                table.append(String.format("%n%-16s %7d", network, servers));
                for (ParameterAssigner rule : rules) {
                    ParameterAssignment made = rule.assign(blocks, servers);
                    table.append(String.format(
                            " | %9.2f %% %4d %8d %5.0f%%",
                            100 * made.spread(), made.cuts(), made.requests(), 100 * made.requestSpread()));
                }
                ParameterAssignment made = optimus.assign(blocks, servers);
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
            ParameterAssignment held = optimus.assign(network.getValue(), 4);
            for (int resize = 0; resize < 50; resize++) {
                TreeSet<Integer> servers = new TreeSet<>();
                int count = 1 + random.nextInt(12);
                while (servers.size() < count) {
                    servers.add(random.nextInt(15));
                }
                Reassignment next = reassigner.reassign(held, servers);
                assertThat(next.assignment().spread()).isLessThanOrEqualTo(0.01);
                assertThat(next.assignment().cuts()).isLessThanOrEqualTo(3 * servers.size());
                assertThat(applied(held, next)).isEqualTo(next.assignment().ranges());
                held = next.assignment();
            }
        }
    }

    /** What the servers hold after the moves, float by float in stretches. */
    private static List<ParameterRange> applied(ParameterAssignment held, Reassignment next) {
        List<ParameterRange> pieces = new ArrayList<>();
        for (ParameterRange range : held.ranges()) {
            long start = range.start();
            for (ParameterMove move : next.moves()) {
                if (move.start() >= start && move.start() < range.start() + range.length()) {
                    assertThat(move.from()).isEqualTo(range.server());
                    if (move.start() > start) {
                        pieces.add(new ParameterRange(start, move.start() - start, range.server()));
                    }
                    pieces.add(new ParameterRange(move.start(), move.length(), move.to()));
                    start = move.start() + move.length();
                }
            }
            if (start < range.start() + range.length()) {
                pieces.add(new ParameterRange(start, range.start() + range.length() - start, range.server()));
            }
        }
        return ParameterAssignment.ofRanges(
                        held.blockFloats(), next.assignment().servers(), pieces)
                .ranges();
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
