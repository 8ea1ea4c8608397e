package io.optimus.am.client;

import static io.optimus.am.client.CommandRunner.SMALLEST;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.job.JobSpecJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;

/** Jobs that go on from the checkpoint of an earlier one. */
public final class SubmitResumeTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void goesOnFromTheCheckpointOfAnEarlierJob() throws IOException {
        Path earlier = earlierJob("seed: 4\n");
        optimus.writeJobFile(SMALLEST + "seed: 4\noptimizer: {learningRate: 0.01}\n");

        assertThat(optimus.submit("--resume", earlier.getFileName().toString()))
                .as(optimus.err())
                .isZero();
        assertThat(JobSpecJson.read(Files.readAllBytes(optimus.jobFolder().resolve("job.json")))
                        .resumes())
                .contains(earlier.getFileName().toString());
        assertThat(optimus.submit("--resume", earlier.toUri().toString(), "--dry-run"))
                .isZero();
    }

    @Test
    public void refusesToGoOnFromAJobThatTrainsSomethingElse() throws IOException {
        Path earlier = earlierJob("globalBatch: 32\n");

        assertThat(optimus.submit("--resume", earlier.getFileName().toString())).isEqualTo(2);
        assertThat(optimus.err())
                .contains(
                        "globalBatch: 64 differs from 32 in the job whose training goes on: write 32, or start from its"
                                + " model.bin with start.model");
        assertThat(cluster.submitted).isEmpty();
    }

    @Test
    public void refusesToGoOnFromAJobThatStillRunsOrHasNoCheckpoint() throws IOException {
        Path earlier = earlierJob("");
        cluster.state("RUNNING", Outcome.OPEN, "");
        assertThat(optimus.submit("--resume", FakeClusterClient.ID)).isEqualTo(2);
        assertThat(optimus.err()).contains(FakeClusterClient.ID + " is still running: end it first");

        Files.delete(earlier.resolve("checkpoints/checkpoint-000000000500-0001.000002"));
        assertThat(optimus.submit("--resume", earlier.getFileName().toString())).isEqualTo(2);
        assertThat(optimus.err()).contains("there is no checkpoint in ", "start from its model.bin with start.model");
        assertThat(optimus.submit("--resume", "job-7")).isEqualTo(2);
        assertThat(optimus.err()).contains("'job-7' names no job: write an application id");
    }

    /** The folder of a job that was killed. */
    private Path earlierJob(String further) throws IOException {
        optimus.writeJobFile(SMALLEST + further);
        assertThat(optimus.submit()).isZero();
        cluster.applications.clear();
        cluster.submitted.clear();
        Path earlier = optimus.jobFolder().resolveSibling("application_1600000000000_0003");
        Files.move(optimus.jobFolder(), earlier);
        Files.createDirectory(earlier.resolve("checkpoints"));
        Files.createFile(earlier.resolve("checkpoints/checkpoint-000000000500-0001.000002"));
        optimus.writeJobFile(SMALLEST);
        return earlier;
    }
}
