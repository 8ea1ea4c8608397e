package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** A NodeManager is killed and starts again while a job grows on its node. */
public class NodeManagerRestartTest {
    @ClassRule
    public static final LocalCluster CLUSTER = new LocalCluster("node-manager-restart", 2, 3);

    private static final int WORKERS = 4;

    @Rule
    public final Timeout timeout = new Timeout(5, TimeUnit.MINUTES);

    @Rule
    public final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    @Test
    public void withRecoveryNoMemberIsLost() throws Exception {
        SubmittedJob job = submit("recovery");
        String node = awaitStartingTask(job);
        Map<String, String> before = job.members();

        CLUSTER.restartNode(node);

        Await.until("it has grown to its maximum", Duration.ofMinutes(2), () -> job.workers() == WORKERS);
        assertThat(job.members()).containsAllEntriesOf(before);
        JsonNode status = job.status();
        assertThat(status.path("attempt").asInt()).isOne();
        assertThat(status.path("survived").path("stepsRedone").asLong()).isZero();
        awaitSteps(job);
    }

    @Test
    public void withoutRecoveryTheJobGoesOnAndNoProcessIsLeftBehind() throws Exception {
        SubmittedJob job = submit("no-recovery");
        String node = awaitStartingTask(job);

        CLUSTER.restartNode(node, "-D", "yarn.nodemanager.recovery.enabled=false");

        Await.until("it has grown to its maximum", Duration.ofMinutes(2), () -> job.workers() == WORKERS);
        awaitSteps(job);
        // YARN has forgotten the containers that ran before the restart.
        Await.until(
                "only the processes of its tasks and its ApplicationMaster run",
                () -> processes(job) == job.status().path("tasks").size() + 1);
    }

    /** Returns the node of a task that is starting while the job grows. */
    private static String awaitStartingTask(SubmittedJob job) throws Exception {
        AtomicReference<String> node = new AtomicReference<>("");
        Await.until("it grows", () -> {
            startingTask(job).ifPresent(task -> node.set(task.path("node").asText()));
            return !node.get().isEmpty();
        });
        return node.get();
    }

    private static Optional<JsonNode> startingTask(SubmittedJob job) throws Exception {
        JsonNode status = job.status();
        if (status.path("allocation").path("workers").asInt() == 0) {
            return Optional.empty();
        }
        return StreamSupport.stream(status.path("tasks").spliterator(), false)
                .filter(task -> task.path("state").asText().equals("starting"))
                .findFirst();
    }

    private static void awaitSteps(SubmittedJob job) throws Exception {
        long step = job.status().path("step").asLong();
        Await.until("it trains", () -> job.status().path("step").asLong() > step + 50);
    }

    private static long processes(SubmittedJob job) {
        return SubmittedJob.processes("container_" + job.id().toString().replaceFirst("^application_", ""))
                .count();
    }

    private SubmittedJob submit(String name) throws Exception {
        return jobs.submit(
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
                  worker: {min: 1, max: %d, memoryMb: 300, gpus: 1}
                  ps: {min: 1, max: 1, memoryMb: 300}
                """
                        .formatted(name, WORKERS));
    }
}
