package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Real jobs, submitted by the command: they grow, make room, and grow again without starting over. */
public class LiveResizeTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("elastic", 2, 3);

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Rule
    public final Timeout timeout = new Timeout(8, TimeUnit.MINUTES);

    private final List<SubmittedJob> submitted = new ArrayList<>();

    @After
    public void killWhatStillRuns() throws Exception {
        for (SubmittedJob job : submitted) {
            job.kill();
        }
    }

    /** The second job leaves the first its minimum. */
    @Test
    public void growsToItsMaximumMakesRoomAndGrowsAgainWithoutRestartingAnybody() throws Exception {
        SubmittedJob first = submit("first", job("first", 2, 6, 100_000));
        Await.untilLasting(
                "the first job is on its maximum, with nothing left to try",
                PATIENCE,
                Duration.ofSeconds(3),
                () -> first.workers() == 6 && !first.status().path("exploring").asBoolean(true));

        SubmittedJob second = submit("second", fixed("second", 4, 25));
        Await.until("the first job makes room", PATIENCE, () -> first.workers() == 2 && second.workers() == 4);
        Map<String, String> small = first.members();
        JsonNode result = second.result(PATIENCE);
        assertThat(result.path("survivingTasksRestarted").asInt()).isZero();

        Await.until("the first job grows again", PATIENCE, () -> first.workers() == 6);
        assertThat(first.members())
                .as(first.status().path("resizes").toPrettyString())
                .containsAllEntriesOf(small);
        JsonNode status = first.status();
        assertThat(status.path("survivingTasksRestarted").asInt()).isZero();
        assertThat(status.path("lostTasks").asInt()).isZero();
        for (JsonNode resize : status.path("resizes")) {
            System.out.println("resize " + resize);
        }
    }

    /** The fixed job leaves the other a single worker until it ends, so that this one grows after that. */
    @Test
    public void theLossDoesNotDependOnResizes() throws Exception {
        SubmittedJob elastic = submit("resized", job("resized", 1, 4, 12));
        SubmittedJob alone = submit("fixed", fixed("fixed", 5, 12));
        JsonNode fixed = alone.result(PATIENCE);
        JsonNode resized = elastic.result(PATIENCE);
        assertThat(resized.path("resizes").size()).isGreaterThan(1);
        assertThat(resized.path("survivingTasksRestarted").asInt()).isZero();
        assertThat(resized.path("finalLoss").asDouble())
                .isCloseTo(fixed.path("finalLoss").asDouble(), Percentage.withPercentage(0.1));
        assertThat(resized.path("heldOutAccuracy").asDouble())
                .isCloseTo(fixed.path("heldOutAccuracy").asDouble(), offset(0.01));
    }

    private SubmittedJob submit(String name, String jobFile) throws Exception {
        SubmittedJob job = SubmittedJob.submit(CLUSTER, name, jobFile);
        submitted.add(job);
        return job;
    }

    private static String fixed(String name, int workers, int epochs) {
        return job(name, workers, workers, epochs) + "preemptible: false\n";
    }

    /** Paced so that each worker pays, the sixth by a seventh; 23 steps an epoch. */
    private static String job(String name, int minWorkers, int maxWorkers, int epochs) {
        return """
                name: %s
                engine: emulated
                model: mlp
                dataset: digits
                mode: synchronous
                globalBatch: 64
                optimizer: {kind: sgd, learningRate: 0.02, momentum: 0.9}
                stop: {maxEpochs: %d}
                emulated:
                  wraps: java
                  speed: {secondsPerSample: 0.004, secondsFixed: 0.005, secondsPerRatio: 0.0005}
                roles:
                  worker: {min: %d, max: %d, memoryMb: 300, gpus: 1}
                  ps: {min: 1, max: 1, memoryMb: 300}
                """
                .formatted(name, epochs, minWorkers, maxWorkers);
    }
}
