package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.assertj.core.data.Percentage;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Submitted jobs grow, shrink for another job, and grow again without a restart. */
public class LiveResizeTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("elastic", 2, 3);

    private static final Duration LIMIT = Duration.ofMinutes(3);

    @Rule
    public final Timeout timeout = new Timeout(8, TimeUnit.MINUTES);

    @Rule
    public final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    /** The second job leaves only the minimum to the first one. */
    @Test
    public void growsShrinksAndGrowsAgainWithoutRestartingATask() throws Exception {
        SubmittedJob first = jobs.submit("first", job("first", 2, 6, 100_000));
        Await.untilLasting(
                "the first job is at its maximum and explores no more",
                LIMIT,
                Duration.ofSeconds(3),
                () -> first.workers() == 6 && !first.status().path("exploring").asBoolean(true));

        SubmittedJob second = jobs.submit("second", fixed("second", 4, 12));
        Await.until("the first job shrinks for the second", LIMIT, () -> first.workers() == 2 && second.workers() == 4);
        Map<String, String> small = first.members();
        JsonNode result = second.result(LIMIT);
        assertThat(result.path("survivingTasksRestarted").asInt()).isZero();

        Await.until("the first job grows again", LIMIT, () -> first.workers() == 6);
        assertThat(first.members())
                .as(first.status().path("resizes").toPrettyString())
                .containsAllEntriesOf(small);
        JsonNode status = first.status();
        assertThat(status.path("survivingTasksRestarted").asInt()).isZero();
        assertThat(status.path("lostTasks").asInt()).isZero();
        for (JsonNode resize : status.path("resizes")) {
            System.out.println("resize " + resize);
        }
        assertNothingRefused();
    }

    /** What a job of ours reports is accepted whole, also of members that are new. */
    private static void assertNothingRefused() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Set<ObjectName> sources = beans.queryNames(new ObjectName("Hadoop:service=*,name=OptimusScheduler"), null);
        assertThat(sources).hasSize(1);
        for (String counter : new String[] {"RefusedValues", "RefusedCalls"}) {
            assertThat(beans.getAttribute(sources.iterator().next(), counter))
                    .as(counter)
                    .hasToString("0");
        }
    }

    /** The fixed job leaves a single worker to the elastic one, which grows when the fixed job ends. */
    @Test
    public void theLossDoesNotDependOnResizes() throws Exception {
        SubmittedJob elastic = jobs.submit("resized", job("resized", 1, 4, 8));
        Await.until("it has grown", LIMIT, () -> elastic.workers() > 1);
        SubmittedJob alone = jobs.submit("fixed", fixed("fixed", 5, 8));
        JsonNode fixed = alone.result(LIMIT);
        JsonNode resized = elastic.result(LIMIT);
        assertThat(resized.path("resizes").size()).isGreaterThan(1);
        assertThat(resized.path("survivingTasksRestarted").asInt()).isZero();
        assertThat(resized.path("finalLoss").asDouble())
                .isCloseTo(fixed.path("finalLoss").asDouble(), Percentage.withPercentage(0.1));
        assertThat(resized.path("heldOutAccuracy").asDouble())
                .isCloseTo(fixed.path("heldOutAccuracy").asDouble(), offset(0.01));
    }

    private static String fixed(String name, int workers, int epochs) {
        return job(name, workers, workers, epochs) + "preemptible: false\n";
    }

    /** A job paced so that each worker makes it faster, the sixth by a seventh; 23 steps an epoch. */
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
