package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** A job converges even if its processes are killed one after the other: a worker, a parameter server, the ApplicationMaster. */
public class KilledProcessesTest {
    @ClassRule
    public static final TrainingCluster CLUSTER =
            new TrainingCluster("killed-processes", 2, 3).set(YarnConfiguration.RM_AM_MAX_ATTEMPTS, "3");

    private static final int CHECKPOINT_STEPS = 25;
    private static final double TARGET_LOSS = 0.3;

    @Rule
    public final Timeout timeout = new Timeout(5, TimeUnit.MINUTES);

    @Test
    public void convergesNevertheless() throws Exception {
        SubmittedJob job = SubmittedJob.submit(CLUSTER, "tough", yaml());
        Await.until("the job runs at its maximum", () -> job.workers() == 3 && step(job) > 2 * CHECKPOINT_STEPS);

        Map<String, String> members = job.members();
        SubmittedJob.killProcess(container(members, "worker-"));
        long whenWorkerDied = step(job);
        Await.until("a new worker steps with the others", () -> lost(job) == 1 && job.workers() == 3);
        assertThat(step(job)).as("no step is lost with the worker").isGreaterThanOrEqualTo(whenWorkerDied);

        SubmittedJob.killProcess(container(job.members(), "ps-"));
        Await.until("training goes on without the server", () -> lost(job) == 2 && job.workers() == 3);
        long back = step(job);
        Await.until("the job steps again", () -> step(job) > back);

        Map<String, String> tasks = job.members();
        long whenMasterDied = step(job);
        SubmittedJob.killProcess(job.master());
        Await.until(
                "a second master goes on", () -> job.status().path("attempt").asInt() == 2 && job.workers() == 3);
        Await.until("the tasks are the same processes", () -> job.members().equals(tasks));
        JsonNode after = job.status();
        assertThat(after.path("step").asLong())
                .as("no step is lost with the master")
                .isGreaterThanOrEqualTo(whenMasterDied);
        assertThat(after.path("survived").path("stepsRedone").asLong()).isZero();
        assertThat(after.path("losses").get(0).get(0).asLong())
                .as("losses of the first attempt are known")
                .isLessThan(CHECKPOINT_STEPS);

        // A NodeManager sends SIGTERM first when it ends a container, for example one that YARN preempts.
        SubmittedJob.signal(job.master(), "TERM");
        Await.until("a third master goes on", () -> job.status().path("attempt").asInt() == 3 && job.workers() == 3);
        Await.until(
                "the tasks are the same processes again", () -> job.members().equals(tasks));
        assertThat(step(job)).isGreaterThanOrEqualTo(after.path("step").asLong());

        JsonNode result = job.result(Duration.ofMinutes(3));
        assertThat(result.path("attempt").asInt()).isEqualTo(3);
        assertThat(result.path("converged").asBoolean()).isTrue();
        assertThat(result.path("finalLoss").asDouble()).isLessThanOrEqualTo(TARGET_LOSS);
        assertThat(result.path("heldOutAccuracy").asDouble()).isGreaterThan(0.85);
        System.out.println("killed worker at step " + whenWorkerDied + ", server before step " + back + ", master at "
                + whenMasterDied + ", gone on at " + after.path("step") + "; converged at " + result.path("steps")
                + " after "
                + result.path("completionSeconds") + " s");
    }

    private static long step(SubmittedJob job) throws Exception {
        return job.status().path("step").asLong();
    }

    private static int lost(SubmittedJob job) throws Exception {
        return job.status().path("lostTasks").asInt();
    }

    private static String container(Map<String, String> members, String role) {
        return members.entrySet().stream()
                .filter(member -> member.getKey().startsWith(role))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new AssertionError("No " + role + " in " + members));
    }

    /** A paced job, which takes longer than the test needs to kill its processes; 23 steps an epoch. */
    private static String yaml() {
        return """
                name: tough
                engine: emulated
                model: mlp
                dataset: digits
                mode: synchronous
                globalBatch: 64
                optimizer: {kind: sgd, learningRate: 0.04, momentum: 0}
                stop: {targetLoss: %s, maxEpochs: 300}
                checkpoint: {everySteps: %d}
                applicationMaster: {maxAttempts: 3}
                emulated:
                  wraps: java
                  speed: {secondsPerSample: 0.002, secondsFixed: 0.005, secondsPerRatio: 0.002}
                roles:
                  worker: {min: 1, max: 3, memoryMb: 300, gpus: 1}
                  ps: {min: 1, max: 1, memoryMb: 300}
                """
                .formatted(TARGET_LOSS, CHECKPOINT_STEPS);
    }
}
