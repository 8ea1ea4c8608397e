package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Training goes on through a work-preserving restart of the ResourceManager, and no job is resized by it. */
public class ResourceManagerRestartTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("restart", 2, 3)
            .withCallsOverRpc()
            .set("yarn.resourcemanager.recovery.enabled", "true")
            .set(
                    "yarn.resourcemanager.store.class",
                    "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore")
            .set("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "500")
            .set("yarn.resourcemanager.connect.retry-interval.ms", "500");

    @Rule
    public final Timeout timeout = new Timeout(6, TimeUnit.MINUTES);

    @Test
    public void trainingGoesOnAndTheJobIsPlannedAgainWithoutAResize() throws Exception {
        SubmittedJob job = submit("through-a-restart");
        // Otherwise an exploration after the restart would look like a resize that the restart caused.
        Await.untilLasting(
                "the job is at its maximum and explores no more",
                Duration.ofMinutes(3),
                Duration.ofSeconds(12),
                () -> job.workers() == 4 && !job.status().path("exploring").asBoolean(true));
        Map<String, String> before = job.members();
        int resizes = job.status().path("resizes").size();
        long step = job.status().path("step").asLong();

        CLUSTER.mini().restartResourceManager(0);
        Await.until("the nodes are back", () -> CLUSTER.scheduler().getNumClusterNodes() == 2);

        Await.until("training went on", () -> job.status().path("step").asLong() > step + 100);
        Await.until(
                "the job is in the plan again",
                () -> !CLUSTER.plan().path("frozen").asBoolean(true) && isPlanned(job));
        Await.holds("the job is not resized", Duration.ofSeconds(8), () -> {
            JsonNode status = job.status();
            return status.path("resizes").size() == resizes;
        });
        assertThat(job.members()).isEqualTo(before);
        assertThat(job.status().path("attempt").asInt()).isEqualTo(1);
        job.kill();
    }

    @Test
    public void aResizeThatWasInterruptedIsDoneAfterwards() throws Exception {
        SubmittedJob job = submit("grows-through-a-restart");
        Await.until("it is to grow", () -> isGrowing(job.status()));
        Map<String, String> before = job.members();

        // The processes of the new workers need seconds to start.
        CLUSTER.mini().restartResourceManager(0);
        Await.until("the nodes are back", () -> CLUSTER.scheduler().getNumClusterNodes() == 2);

        Await.until("it has grown to its maximum", Duration.ofMinutes(3), () -> job.workers() == 4 && isPlanned(job));
        assertThat(before).isNotEmpty();
        assertThat(job.members()).containsAllEntriesOf(before);
        assertThat(job.status().path("attempt").asInt()).isEqualTo(1);
        job.kill();
    }

    private static boolean isGrowing(JsonNode status) {
        int workers = status.path("allocation").path("workers").asInt();
        return workers > 0 && status.path("target").path("workers").asInt() > workers;
    }

    private static SubmittedJob submit(String name) throws Exception {
        return SubmittedJob.submit(
                CLUSTER,
                name,
                """
                name: %s
                engine: emulated
                model: mlp
                dataset: digits
                globalBatch: 64
                optimizer: {kind: sgd, learningRate: 0.02}
                stop: {maxEpochs: 100000}
                emulated:
                  wraps: java
                  speed: {secondsPerSample: 0.002, secondsFixed: 0.005, secondsPerRatio: 0.002}
                roles:
                  worker: {min: 1, max: 4, memoryMb: 300, gpus: 1}
                  ps: {min: 1, max: 1, memoryMb: 300}
                """
                        .formatted(name));
    }

    private static boolean isPlanned(SubmittedJob job) throws Exception {
        JsonNode status = job.status();
        return status.path("sizedBy").asText().equals("scheduler") && CLUSTER.containersOf(job.id()) == 1 + 1 + 4;
    }
}
