package io.optimus.sim.recording;

import static io.optimus.sim.recording.RecordedScript.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.sim.Simulate;
import io.optimus.sim.engine.ClusterChange;
import io.optimus.sim.input.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class RecordingReaderTest {
    /** Two measured sizes, on which a job does one step a second and GPU. */
    private static final String LINEAR = "[[0,2,1,2.0],[0,4,1,4.0]]";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final RecordedScript script = new RecordedScript();

    private Path file(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    private RecordedCluster read() throws InvalidInputException {
        return RecordingReader.read(folder.getRoot().toPath());
    }

    private List<String> problems() {
        try {
            read();
            return List.of();
        } catch (InvalidInputException invalid) {
            return invalid.problems();
        }
    }

    /** Two jobs that arrive at 0 and at 20 s, have 4 GPUs each, and end at 110 and 70 s. */
    private RecordedScript twoJobs() {
        return script.begin(0)
                .first(0, "fifo", whole("a", 0, "[0,4,1]", "[]"))
                .round(
                        20,
                        "",
                        "{\"id\":\"a\",\"step\":40,\"members\":[0,4,1],\"speeds\":" + LINEAR + "}",
                        whole("b", 0, "[0,4,1]", "[]"))
                .round(
                        40,
                        "",
                        "{\"id\":\"a\",\"step\":120}",
                        "{\"id\":\"b\",\"step\":40,\"members\":[0,4,1],\"speeds\":" + LINEAR + "}")
                .end(70, "b", "succeeded", 160)
                .round(70.2, "\"jobsGone\":[\"b\"],", "{\"id\":\"a\",\"step\":240}")
                .end(110, "a", "succeeded", 400);
    }

    @Test
    public void readsJobsAndCluster() throws Exception {
        twoJobs().into(file("rounds-1.jsonl"));

        RecordedCluster cluster = read();

        assertThat(cluster.policies().name()).isEqualTo("fifo");
        assertThat(cluster.notices()).isEmpty();
        assertThat(cluster.setup().intervalSeconds()).isEqualTo(10);
        assertThat(cluster.setup().capacity()).isEqualTo(Resources.of(0, 0, 8));
        assertThat(cluster.jobs()).extracting(RecordedJob::id).containsExactly("a", "b");
        RecordedJob a = cluster.jobs().get(0);
        assertThat(a.name()).isEqualTo("name of a");
        assertThat(a.seconds()).isEqualTo(110);
        assertThat(a.known().isWhole()).isTrue();
        // At 20 s it had done 40 steps at 4 a second, so that it began to step at 10 s.
        assertThat(a.simulated().pauses().startSeconds().orElseThrow()).isCloseTo(10, within(1e-9));
        RecordedJob b = cluster.jobs().get(1);
        assertThat(b.simulated().arrivalSeconds()).isEqualTo(20);
        assertThat(b.seconds()).isEqualTo(50);
        assertThat(b.simulated().submission().user()).isEqualTo("ann");
    }

    @Test
    public void replaysUnderThePolicyThatRanAndUnderOthers() throws Exception {
        twoJobs().into(file("rounds-1.jsonl"));
        StringWriter output = new StringWriter();

        int code = Simulate.run(
                new PrintWriter(output, true),
                new PrintWriter(output, true),
                "--recording",
                folder.getRoot().toString(),
                "--policy",
                "drf",
                "--out",
                folder.getRoot() + "/out",
                "--quiet");

        assertThat(code).as(output.toString()).isZero();
        assertThat(output.toString())
                .contains("fifo again", "under drf", "completion times of 2 whole jobs")
                .contains("Mean completion time of all 2 jobs: recorded 80 s");
        assertThat(Files.readAllLines(file("out/replay.csv"))).hasSize(5);
        assertThat(Files.readString(file("out/report.html"))).contains("replay of the recording");
    }

    @Test
    public void refusesOptionsThatARecordingTakesThePlaceOf() throws Exception {
        twoJobs().into(file("rounds-1.jsonl"));
        StringWriter errors = new StringWriter();

        int code = Simulate.run(
                new PrintWriter(errors, true),
                new PrintWriter(errors, true),
                "--recording",
                folder.getRoot().toString(),
                "--nodes",
                "5",
                "--interval",
                "60",
                "--policy",
                "lower-bound,nonsense");

        assertThat(code).isEqualTo(2);
        assertThat(errors.toString())
                .contains(
                        "--nodes has no effect on a recording", "--interval has no effect", "lower-bound", "nonsense");
    }

    @Test
    public void joinsFilesAndFailoversInOrderOfTheirTimes() throws Exception {
        script.begin(0)
                .first(0, "fifo", whole("a", 0, "[0,4,1]", "[]"))
                .round(20, "", "{\"id\":\"a\",\"step\":40,\"members\":[0,4,1],\"speeds\":" + LINEAR + "}");
        Files.createDirectories(file("rm2"));
        script.into(file("rm2/rounds-b.jsonl.gz"));
        script.restart()
                .begin(60)
                .first(60, "fifo", whole("a", 180, "[0,4,1]", LINEAR))
                .end(115, "a", "succeeded", 400);
        script.into(file("rounds-a.jsonl"));

        RecordedCluster cluster = read();

        assertThat(cluster.jobs()).hasSize(1);
        assertThat(cluster.jobs().get(0).seconds()).isEqualTo(115);
        assertThat(cluster.jobs().get(0).known().isWhole()).isTrue();
        assertThat(cluster.notices()).singleElement().asString().contains("began anew 1 time");
    }

    @Test
    public void readsOverATornLastLine() throws Exception {
        String torn = twoJobs().text() + "{\"at\":1700000111000,\"event\":\"rou";
        Files.writeString(file("rounds-1.jsonl"), torn);
        Files.writeString(file("rounds-2.jsonl"), "");

        RecordedCluster cluster = read();

        assertThat(cluster.jobs()).hasSize(2);
        assertThat(cluster.notices())
                .anyMatch(notice -> notice.contains("ends in the middle of a line"))
                .anyMatch(notice -> notice.contains("rounds-2.jsonl has no line that is whole"));
    }

    @Test
    public void readsOverACompressedFileThatWasCutOff() throws Exception {
        twoJobs().into(file("rounds-1.jsonl.gz"));
        byte[] all = Files.readAllBytes(file("rounds-1.jsonl.gz"));
        Files.write(file("rounds-1.jsonl.gz"), Arrays.copyOf(all, all.length - 20));

        assertThat(read().notices()).anyMatch(notice -> notice.contains("ends in the middle of a line"));
    }

    @Test
    public void saysWhichJobsWereRecordedInPartAndWhatIsAssumed() throws Exception {
        script.begin(0)
                .first(0, "fifo", whole("before", 100, "[0,4,1]", LINEAR), whole("never", 0, "[0,0,0]", "[]"))
                .skipRounds(3)
                .round(
                        50,
                        "",
                        "{\"id\":\"before\",\"step\":300}",
                        whole("runs", 0, "[0,4,1]", "[]"),
                        whole("killed", 0, "[0,2,1]", LINEAR))
                .end(60, "killed", "killed", 20)
                .round(
                        90,
                        "\"jobsGone\":[\"killed\"],",
                        "{\"id\":\"before\",\"step\":460}",
                        "{\"id\":\"runs\",\"step\":80,\"speeds\":" + LINEAR + "}");
        script.into(file("rounds-1.jsonl"));

        RecordedCluster cluster = read();

        assertThat(cluster.jobs())
                .extracting(job -> job.id() + ": " + job.known().inWords())
                .containsExactly("before: still ran, began before", "killed: killed", "runs: still ran");
        assertThat(cluster.notices())
                .anyMatch(notice -> notice.startsWith("never did not step"))
                .anyMatch(notice -> notice.startsWith("1 of 3 jobs had begun before the recording"))
                .anyMatch(notice -> notice.startsWith("3 of 3 jobs did not train to their end"))
                .anyMatch(notice -> notice.startsWith("3 rounds are missing"));
        // Its work is what it did while it was recorded.
        assertThat(cluster.jobs().get(0).simulated().arrivalSeconds()).isZero();
        assertThat(cluster.jobs().get(0).seconds()).isEqualTo(90);
    }

    @Test
    public void nodesThatJoinLaterAreNotThereAtTheBeginning() throws Exception {
        String joined = "\"nodes\":[{\"id\":\"n3\",\"rack\":\"r\",\"capacity\":{\"yarn.io/gpu\":4},"
                + "\"room\":{\"yarn.io/gpu\":4}}],";
        twoJobs().round(120, joined).into(file("rounds-1.jsonl"));

        List<ClusterChange> changes = read().setup().changes();

        assertThat(changes.get(0).seconds()).isZero();
        assertThat(changes.get(0).gone()).containsExactly("n3");
        assertThat(changes.get(changes.size() - 1).nodes())
                .extracting(NodeSnapshot::id)
                .containsExactly("n3");
    }

    @Test
    public void addsUpWhatAQueueMayTakeOnNodesOfSeveralLabels() throws Exception {
        String labels =
                "\"queues\":[{\"queue\":\"root.a@big\",\"policy\":\"drf\",\"jobsPerUser\":0,\"othersWait\":false,"
                        + "\"budget\":{\"yarn.io/gpu\":2},\"userBudgets\":{}}],";
        twoJobs().round(120, labels).into(file("rounds-1.jsonl"));

        List<ClusterChange> changes = read().setup().changes();

        assertThat(changes.get(changes.size() - 1).queues().values())
                .extracting(limits -> limits.budget().amount(Resources.GPUS))
                .containsExactly(8L + 2);
    }

    @Test
    public void takesWhatARestartNamesForAllThatThereIs() throws Exception {
        twoJobs().into(file("rounds-1.jsonl"));
        String lost = "\"nodes\":[{\"id\":\"n1\",\"rack\":\"r\",\"capacity\":{\"yarn.io/gpu\":4},"
                + "\"room\":{\"yarn.io/gpu\":3}}],";
        script.begin(120).round(120, lost).into(file("rounds-2.jsonl"));

        RecordedCluster cluster = read();

        assertThat(cluster.setup().changes()).hasSize(2);
        assertThat(cluster.setup().changes().get(1).gone()).containsExactly("n2");
        assertThat(cluster.setup().changes().get(1).nodes())
                .extracting(node -> node.available().amount(Resources.GPUS))
                .containsExactly(3L);
    }

    @Test
    public void refusesAFileThatIsNoRecordingWithItsLine() throws Exception {
        Files.writeString(file("journal.jsonl"), "{\"at\":1000,\"event\":\"started\",\"attempt\":1}\n");

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("journal.jsonl, line 1 does not begin a recording", "Remedy:");
    }

    @Test
    public void namesEveryBadLineWithItsNumber() throws Exception {
        twoJobs()
                .line("no JSON")
                .line("[1]")
                .line("[".repeat(100_000))
                .line("{\"at\":-1,\"event\":\"stop\"}")
                .line("{\"at\":1,\"event\":\"dance\"}")
                .round(120, "", "{\"id\":7}")
                .round(130, "", "{\"id\":\"a\",\"step\":-5}")
                .round(140, "", "{\"id\":\"a\",\"speeds\":[[1,1,1,0]]}")
                .round(150, "", "{\"id\":\"a\",\"speeds\":[[1e99,1,1,5]]}")
                .round(160, "", "{\"id\":\"a\",\"losses\":[[1]]}")
                .round(170, "\"nodes\":[{\"id\":\"n9\",\"capacity\":5}],")
                .round(180, "\"queues\":[{\"queue\":\"root.q\",\"policy\":\"fifo\",\"budget\":{\"x\":1e30}}],");
        script.into(file("rounds-1.jsonl"));

        List<String> problems = problems();

        assertThat(problems).hasSize(12);
        for (int i = 0; i < problems.size(); i++) {
            assertThat(problems.get(i)).contains("rounds-1.jsonl, line " + (8 + i) + " ");
        }
    }

    @Test
    public void refusesWhatCannotBeReplayed() throws Exception {
        assertThat(problems()).singleElement().asString().contains("has no file");

        script.begin(0).first(0, "magic", whole("a", 0, "[0,4,1]", LINEAR)).end(9, "a", "succeeded", 5);
        script.into(file("rounds-1.jsonl"));
        assertThat(problems()).containsExactly("The policy magic of queue root.a is not known here");

        Files.writeString(file("rounds-1.jsonl"), "{\"at\":1,\"event\":\"begin\",\"recording\":2}\n");
        assertThat(problems()).singleElement().asString().contains("is of version 2");
    }

    @Test
    public void refusesJobsWithoutADescription() throws IOException {
        script.begin(0)
                .first(0, "fifo", "{\"id\":\"a\",\"step\":0}", "{\"id\":\"b\",\"queue\":\"root.a\"}")
                .round(5, "", "{\"id\":\"a\",\"step\":9}");
        script.into(file("rounds-1.jsonl"));

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(this::read)
                .withMessageContaining("The recording of a is invalid")
                .withMessageContaining("The recording of b is invalid");
    }
}
