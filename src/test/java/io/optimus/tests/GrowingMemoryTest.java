package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Tasks that run out of memory start again with more, where the job file lets it. */
public class GrowingMemoryTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("growing-memory", 2, 0)
            .set(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "1024");

    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** Ends as a container does whose memory Linux limits: its task gets SIGKILL, so many times. */
    private static final String KILLED =
            "n=$(cat %1$s || echo 0); echo $((n + 1)) > %1$s; test $n -ge %2$d || kill -9 $PPID";

    @Rule
    public final Timeout timeout = new Timeout(8, TimeUnit.MINUTES);

    @Rule
    public final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    @Test
    public void giveACommandMoreUntilItEnds() throws Exception {
        SubmittedJob job = jobs.submit("greedy", command("greedy", 2));

        JsonNode result = job.result(LIMIT);
        assertThat(result.path("succeeded").asBoolean())
                .as(result.toPrettyString())
                .isTrue();
        assertThat(result.path("lostTasks").asInt()).isEqualTo(2);
    }

    @Test
    public void giveNoMoreThanYarnGrants() throws Exception {
        SubmittedJob job = jobs.submit("insatiable", command("insatiable", 1_000));

        Await.until("the job fails", LIMIT, job::ended);
        ApplicationReport report = CLUSTER.client().getApplicationReport(job.id());
        assertThat(report.getFinalApplicationStatus()).isEqualTo(FinalApplicationStatus.FAILED);
        assertThat(report.getDiagnostics())
                .contains(
                        "too many workers failed: 1",
                        "its container has 1024 MiB",
                        "YARN grants no container of more than 1024 MiB");
    }

    private static String command(String name, int times) throws IOException {
        Path count = Files.createDirectories(CLUSTER.folder().resolve("counts")).resolve(name);
        return """
                name: %s
                framework: command
                roles:
                  worker: {command: "%s", memoryMb: 300, memory: auto, retries: 0}
                """
                .formatted(name, KILLED.formatted(count, times));
    }

    /** A million parameters on a server that has room for half of them. */
    @Test
    public void giveServersWhatTheModelNeeds() throws Exception {
        SubmittedJob job = jobs.submit(
                "large-model",
                """
                name: large-model
                model: {kind: mlp, hidden: [1200, 1200]}
                dataset: digits
                globalBatch: 719
                stop: {maxEpochs: 3}
                roles:
                  worker: {min: 2}
                  ps: {memoryMb: 256, memory: auto, retries: 0}
                """);

        JsonNode result = job.result(LIMIT);
        assertThat(result.path("succeeded").asBoolean())
                .as(result.toPrettyString())
                .isTrue();
        assertThat(result.path("lostTasks").asInt())
                .as("the server that was too small")
                .isEqualTo(1);
        assertThat(result.path("epochs").asDouble()).isEqualTo(3);
    }
}
