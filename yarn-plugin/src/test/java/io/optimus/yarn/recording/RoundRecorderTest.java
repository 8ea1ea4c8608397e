package io.optimus.yarn.recording;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.yarn.Await;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public final class RoundRecorderTest {
    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final RoundRecorder recorder = new RoundRecorder(job -> List.of(), clock::get);

    @After
    public void close() {
        recorder.close();
    }

    private static Recorded.Round round(long number, String folder) {
        return round(number, folder, new ClusterView(List.of(), new TreeMap<>()));
    }

    private static Recorded.Round round(long number, String folder, ClusterView view) {
        Configuration yarn = new Configuration(false);
        yarn.set("yarn.scheduler.optimus.recording-folder", folder);
        return new Recorded.Round(
                new Recorded.Facts(number, 1_000_000 + number, 3, List.of("arrival"), "planned"),
                view,
                List.of(),
                Map.of(),
                PublishedPlan.NONE,
                OptimusConfiguration.read(yarn));
    }

    private static List<JsonNode> lines(Path folder) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        ObjectMapper mapper = new ObjectMapper();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    lines.add(mapper.readTree(line));
                }
            }
        }
        return lines;
    }

    @Test
    public void writesSettingsOnceAndRoundsAsTheyCome() throws IOException {
        Path there = folder.getRoot().toPath().resolve("rounds");
        recorder.round(round(1, there.toString()));
        recorder.round(round(2, there.toString()));

        recorder.close();

        List<JsonNode> lines = lines(there);
        assertThat(lines)
                .extracting(line -> line.path("event").asText())
                .containsExactly("begin", "round", "round", "stop");
        assertThat(lines.get(0).path("recording").asInt()).isEqualTo(1);
        assertThat(lines.get(1).path("settings").path("roundIntervalMillis").asInt())
                .isEqualTo(60_000);
        assertThat(lines.get(1).path("triggers").get(0).asText()).isEqualTo("arrival");
        assertThat(lines.get(2).has("settings")).isFalse();
    }

    @Test
    public void keepsNodesWhileNoJobIsThere() throws IOException {
        Path there = folder.getRoot().toPath().resolve("rounds");
        Resources gpus = Resources.of(0, 0, 4);
        ClusterSnapshot cluster = new ClusterSnapshot(List.of(new NodeSnapshot("n:1", gpus, gpus)), gpus);
        QueueView queue = new QueueView(
                "root.a",
                "",
                cluster,
                new QueueView.OrdinaryUsage(Resources.NONE, Resources.NONE),
                new TreeMap<>(),
                new TreeMap<>(),
                QueueView.Guarantee.NONE,
                List.of());
        TreeMap<String, Resources> free = new TreeMap<>(Map.of("n:1", gpus));
        recorder.round(round(1, there.toString(), new ClusterView(List.of(queue), free)));
        recorder.round(round(2, there.toString(), new ClusterView(List.of(), free)));
        recorder.round(round(3, there.toString(), new ClusterView(List.of(), new TreeMap<>())));

        recorder.close();

        List<JsonNode> lines = lines(there);
        assertThat(lines.get(1).path("nodes").get(0).path("room")).hasToString("{\"yarn.io/gpu\":4}");
        assertThat(lines.get(2).has("nodesGone")).isFalse();
        assertThat(lines.get(3).path("nodesGone")).hasToString("[\"n:1\"]");
    }

    @Test
    public void writesTheEndOfAJobOnce() throws IOException {
        Path there = folder.getRoot().toPath().resolve("rounds");
        ApplicationId job = ApplicationId.newInstance(1, 1);
        recorder.round(round(1, there.toString()));
        recorder.ended(new Recorded.End(1_000_500, job, "succeeded", 99, OptionalDouble.of(0.25)));
        recorder.ended(new Recorded.End(1_000_600, job, "unknown", -1, OptionalDouble.empty()));

        recorder.close();

        List<JsonNode> ends = lines(there).stream()
                .filter(line -> line.path("event").asText().equals("end"))
                .toList();
        assertThat(ends).hasSize(1);
        assertThat(ends.get(0).toString())
                .isEqualTo("{\"at\":1000500,\"event\":\"end\",\"id\":\"application_1_0001\",\"outcome\":\"succeeded\","
                        + "\"step\":99,\"loss\":0.25}");
    }

    @Test
    public void recordsNothingWhereNoFolderIsNamed() {
        recorder.round(round(1, ""));
        recorder.ended(new Recorded.End(1, ApplicationId.newInstance(1, 1), "failed", 1, OptionalDouble.empty()));

        assertThat(recorder.unrecorded()).isZero();
        assertThat(recorder.problem()).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("optimus-recording");
    }

    @Test
    public void saysWhyItCannotWriteAndGoesOnWhenItCan() throws Exception {
        Path file = folder.newFile("rounds").toPath();
        recorder.round(round(1, file.toString()));
        Await.until("the problem is known", () -> recorder.problem().isPresent());
        recorder.round(round(2, file.toString()));
        Await.until("both are counted", () -> recorder.unrecorded() == 2);

        assertThat(recorder.problem().orElseThrow())
                .startsWith("rounds are not recorded: " + file)
                .contains("Remedy:", "recording-folder");

        Files.delete(file);
        clock.addAndGet(TimeUnit.MINUTES.toMillis(2));
        recorder.round(round(3, file.toString()));
        Await.until("the problem is over", () -> recorder.problem().isEmpty());
        recorder.close();
        assertThat(lines(file))
                .extracting(line -> line.path("event").asText())
                .containsExactly("begin", "lost", "round", "stop");
    }

    @Test
    public void endsWhenItIsSwitchedOff() throws Exception {
        Path there = folder.getRoot().toPath().resolve("rounds");
        recorder.round(round(1, there.toString()));

        recorder.off();
        recorder.ended(new Recorded.End(1, ApplicationId.newInstance(1, 1), "failed", 1, OptionalDouble.empty()));
        recorder.off();

        Await.until("the recording has ended", () -> events(there).equals(List.of("begin", "round", "stop")));
    }

    @Test
    public void hasNoProblemOnceItIsSwitchedOff() throws Exception {
        recorder.round(round(1, folder.newFile("rounds").toString()));
        Await.until("the problem is known", () -> recorder.problem().isPresent());

        recorder.off();

        Await.until("the problem is over", () -> recorder.problem().isEmpty());
    }

    private static List<String> events(Path there) {
        try {
            return lines(there).stream()
                    .map(line -> line.path("event").asText())
                    .toList();
        } catch (IOException notYet) {
            return List.of();
        }
    }

    @Test
    public void neverBlocksARoundWhileTheDiskHangs() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        RoundRecorder hanging = new RoundRecorder(job -> List.of(), () -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 0;
        });
        String there = folder.getRoot().toPath().resolve("rounds").toString();
        try {
            for (int number = 1; number <= 100; number++) {
                hanging.round(round(number, there));
            }

            assertThat(hanging.unrecorded()).isBetween(60L, 99L);
        } finally {
            goOn.countDown();
            hanging.close();
        }
    }

    @Test
    public void leavesOutWhatHasNotChanged() throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        ChangedFields fields = new ChangedFields("id");

        assertThat(fields.of("a", mapper.createObjectNode().put("step", 5).put("user", "ann")))
                .hasToString("Optional[{\"id\":\"a\",\"step\":5,\"user\":\"ann\"}]");
        assertThat(fields.of("a", mapper.createObjectNode().put("step", 7).put("user", "ann")))
                .hasToString("Optional[{\"id\":\"a\",\"step\":7}]");
        assertThat(fields.of("a", mapper.createObjectNode().put("step", 7).put("user", "ann")))
                .isEmpty();
        assertThat(fields.of("a", mapper.createObjectNode().put("user", "ann")))
                .hasToString("Optional[{\"id\":\"a\",\"step\":null}]");
        assertThat(fields.keepOnly(Set.of("b"))).containsExactly("a");
    }
}
