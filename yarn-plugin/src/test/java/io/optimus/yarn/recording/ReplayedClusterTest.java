package io.optimus.yarn.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.sim.Simulate;
import io.optimus.sim.recording.RecordedCluster;
import io.optimus.sim.recording.RecordedJob;
import io.optimus.sim.recording.RecordingReader;
import io.optimus.yarn.Await;
import io.optimus.yarn.page.FollowingJob;
import io.optimus.yarn.page.PageCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** What a ResourceManager records of its jobs, replayed by the simulator. */
public final class ReplayedClusterTest {
    @Rule
    public final Timeout timeout = new Timeout(120, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void replaysWhatAClusterRecorded() throws Exception {
        Path recording = folder.getRoot().toPath().resolve("rounds");
        String first;
        String second;
        String waiting;
        try (PageCluster cluster = new PageCluster(
                folder.getRoot().toPath(), Map.of("yarn.scheduler.optimus.recording-folder", recording.toString()))) {
            cluster.nodes(2, 4);
            FollowingJob one = cluster.train("first");
            FollowingJob two = cluster.train("second <b>");
            first = one.id().toString();
            second = two.id().toString();
            waiting = cluster.trainOnMissingGpus("waiting").id().toString();
            cluster.awaitSteps(one, 800);
            one.finish();
            cluster.awaitSteps(two, 2000);
            awaitRounds(cluster, 2);
            assertThat(cluster.overview().problems()).isEmpty();
            assertThat(cluster.overview().state().recorder().unrecorded()).isZero();
        }

        RecordedCluster read = RecordingReader.read(recording);

        assertThat(read.policies().name()).isEqualTo("marginal-goodput");
        assertThat(read.setup().nodes()).hasSize(2);
        assertThat(read.setup().intervalSeconds()).isEqualTo(1);
        assertThat(read.jobs()).extracting(RecordedJob::id).containsExactlyInAnyOrder(first, second);
        RecordedJob ended = job(read, first);
        assertThat(ended.name()).isEqualTo("first");
        assertThat(ended.known().isWhole()).isTrue();
        assertThat(ended.simulated().submission().queue()).isEqualTo("root.default");
        assertThat(job(read, second).known().outcome()).isEqualTo("still ran");
        assertThat(read.notices()).anyMatch(notice -> notice.contains(waiting) && notice.contains("did not step"));
        StringWriter output = new StringWriter();
        Path out = folder.getRoot().toPath().resolve("out");
        int code = Simulate.run(
                new PrintWriter(output, true),
                new PrintWriter(output, true),
                "--recording",
                recording.toString(),
                "--policy",
                "drf,marginal-goodput,fifo",
                "--out",
                out.toString(),
                "--quiet");
        assertThat(code).as(output.toString()).isZero();
        assertThat(output.toString())
                .contains(first, second, "marginal-goodput again", "under drf", "under fifo", "1 whole job");
        List<String> csv = Files.readAllLines(out.resolve("replay.csv"));
        assertThat(csv).hasSize(1 + 2 * 3);
        assertThat(csv.get(0)).startsWith("job,name,user,queue,outcome,beganBefore,arrivalSeconds");
        String[] own = csv.stream()
                .filter(line -> line.startsWith(first) && line.contains(",marginal-goodput,"))
                .findFirst()
                .orElseThrow()
                .split(",", -1);
        // The cluster of the test is simulated in real time, so that a busy machine slows its jobs down.
        assertThat(Double.parseDouble(own[11])).isBetween(ended.seconds() / 3, ended.seconds() * 3);
    }

    private static void awaitRounds(PageCluster cluster, long more) {
        long before = cluster.overview().state().log().run();
        Await.until("further rounds", () -> cluster.overview().state().log().run() >= before + more);
    }

    private static RecordedJob job(RecordedCluster cluster, String id) {
        return cluster.jobs().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
