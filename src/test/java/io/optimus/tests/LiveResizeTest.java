package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
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

    @Test
    public void growsToItsMaximumMakesRoomAndGrowsAgainWithoutRestartingAnybody() throws Exception {
        RealJob first = RealJob.submit(CLUSTER, "first", job("first", 6, 100_000));
        Await.until("the first job grows to its maximum", PATIENCE, () -> first.workers() == 6);

        RealJob second = RealJob.submit(CLUSTER, "second", job("second", 6, 25));
        Await.until("the first job makes room", PATIENCE, () -> first.workers() < 6 && second.workers() > 0);
        Map<String, String> before = first.members();
        JsonNode result = second.result(PATIENCE);
        assertThat(result.path("survivingTasksRestarted").asInt()).isZero();

        Await.until("the first job grows again", PATIENCE, () -> first.workers() == 6);
        // Some leave while the two try sizes; a job that had started over would have none of them.
        assertThat(first.members().entrySet()).containsAnyElementsOf(before.entrySet());
        JsonNode status = first.status();
        assertThat(status.path("survivingTasksRestarted").asInt()).isZero();
        assertThat(status.path("lostTasks").asInt()).isZero();
        for (JsonNode resize : status.path("resizes")) {
            System.out.println("resize " + resize);
        }
        first.kill();
    }

    @Test
    public void theLossDoesNotDependOnResizes() throws Exception {
        RealJob alone = RealJob.submit(CLUSTER, "fixed", job("fixed", 1, 30));
        RealJob elastic = RealJob.submit(CLUSTER, "resized", job("resized", 4, 30));
        JsonNode fixed = alone.result(PATIENCE);
        JsonNode resized = elastic.result(PATIENCE);
        assertThat(resized.path("resizes").size()).isGreaterThan(1);
        assertThat(resized.path("finalLoss").asDouble())
                .isCloseTo(fixed.path("finalLoss").asDouble(), Percentage.withPercentage(0.1));
        assertThat(resized.path("heldOutAccuracy").asDouble())
                .isCloseTo(fixed.path("heldOutAccuracy").asDouble(), offset(0.01));
    }

    /** Paced so that each worker pays; 23 steps an epoch. */
    private static String job(String name, int maxWorkers, int epochs) {
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
                  speed: {secondsPerSample: 0.002, secondsFixed: 0.005, secondsPerRatio: 0.002}
                roles:
                  worker: {min: 1, max: %d, memoryMb: 300, gpus: 1}
                  ps: {min: 1, max: 2, memoryMb: 300}
                """
                .formatted(name, epochs, maxWorkers);
    }
}
