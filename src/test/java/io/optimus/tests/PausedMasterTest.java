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

/** A job whose ApplicationMaster stands still for a while loses neither a task nor a step. */
public class PausedMasterTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("paused-master", 2, 3);

    /** Four times as long as the coordinator waits for a silent task. */
    private static final Duration PAUSE = Duration.ofSeconds(60);

    private static final int MOST_STEPS_A_SECOND = 10;

    @Rule
    public final Timeout timeout = new Timeout(5, TimeUnit.MINUTES);

    @Rule
    public final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    @Test
    public void tasksGoOnWithoutIt() throws Exception {
        SubmittedJob job = jobs.submit("paused", yaml());
        Await.until("the job runs at its maximum", Duration.ofMinutes(2), () -> job.workers() == 6 && step(job) > 20);
        Map<String, String> members = job.members();
        long before = step(job);
        String master = job.master();

        SubmittedJob.signal(master, "STOP");
        // The time that passes is what is tested.
        Thread.sleep(PAUSE.toMillis());
        SubmittedJob.signal(master, "CONT");
        long awake = System.nanoTime();
        Await.until(
                "more steps were done than there was time for since then",
                () -> step(job) - before > MOST_STEPS_A_SECOND * (System.nanoTime() - awake) / 1e9 + 100);

        Await.untilLasting(
                "all tasks stay",
                Duration.ofMinutes(1),
                Duration.ofSeconds(5),
                () -> job.status().path("state").asText().equals("stepping") && job.workers() == 6);
        JsonNode status = job.status();
        assertThat(job.members()).isEqualTo(members);
        assertThat(status.path("lostTasks").asInt()).isZero();
        assertThat(status.path("attempt").asInt()).isOne();
        job.kill();
    }

    private static long step(SubmittedJob job) throws Exception {
        return job.status().path("step").asLong();
    }

    /** At most {@value #MOST_STEPS_A_SECOND} steps a second, none of which needs the ApplicationMaster. */
    private static String yaml() {
        return """
                name: paused
                engine: emulated
                model: mlp
                dataset: digits
                mode: synchronous
                globalBatch: 64
                stop: {maxEpochs: 100000}
                emulated: {wraps: java, speed: {secondsFixed: 0.1}}
                roles:
                  worker: {min: 6, max: 6, memoryMb: 300, gpus: 1}
                  ps: {min: 1, max: 1, memoryMb: 300}
                """;
    }
}
