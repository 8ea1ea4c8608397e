package io.optimus.tests;

import static io.optimus.tests.ScriptedMaster.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.RuleChain;
import org.junit.rules.Timeout;

/** Half of the cluster is guaranteed to the queue of a job, and an application of another queue holds every GPU. */
public class GuaranteedJobTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int GPUS = 8;

    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("guaranteed", 2, GPUS / 2)
            .set("yarn.scheduler.capacity.root.queues", "default,busy")
            .set("yarn.scheduler.capacity.root.default.capacity", "50")
            .set("yarn.scheduler.capacity.root.busy.capacity", "50")
            .set("yarn.scheduler.capacity.root.busy.user-limit-factor", "100");

    private final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    @Rule
    public final RuleChain rules =
            RuleChain.outerRule(new Timeout(4, TimeUnit.MINUTES)).around(jobs);

    @Test
    public void startsOnWhatYarnGrantsWithinTheGuarantee() throws Exception {
        try (ScriptedMaster busy = ScriptedMaster.start(CLUSTER, "YARN", "busy")) {
            ResourceRequest backlog =
                    ResourceRequest.newInstance(WORKER, ResourceRequest.ANY, ScriptedMaster.task(1024, 1), 100);
            busy.allocate(List.of(backlog));
            Await.until("the other queue holds every GPU", LIMIT, () -> {
                busy.allocate(List.of());
                return busy.holding(WORKER) == GPUS;
            });
            SubmittedJob job = jobs.submit("guaranteed", yaml());

            Await.until("the job has its part of the cluster", LIMIT, () -> {
                busy.allocate(List.of());
                if (isAsked(job) && busy.holding(WORKER) > GPUS / 2) {
                    Container oldest = busy.held().iterator().next();
                    busy.allocate(List.of(), List.of(oldest.getId()), List.of());
                }
                return job.workers() == GPUS / 2;
            });
            assertThat(busy.holding(WORKER)).isGreaterThanOrEqualTo(GPUS / 2);
            assertThat(job.status().path("lostTasks").asInt()).isZero();
        }
    }

    /** Whether the scheduler asks YARN for tasks of the job. */
    private static boolean isAsked(SubmittedJob job) throws Exception {
        return job.status().path("reason").asText().contains("within the guarantee");
    }

    private static String yaml() {
        return """
                name: guaranteed
                engine: emulated
                model: mlp
                dataset: digits
                mode: synchronous
                globalBatch: 64
                optimizer: {kind: sgd, learningRate: 0.02, momentum: 0.9}
                stop: {maxEpochs: 100000}
                emulated:
                  wraps: java
                  speed: {secondsPerSample: 0.004, secondsFixed: 0.005, secondsPerRatio: 0.0005}
                roles:
                  worker: {min: 1, max: 4, memoryMb: 300, gpus: 1}
                  ps: {min: 1, max: 1, memoryMb: 300}
                """;
    }
}
