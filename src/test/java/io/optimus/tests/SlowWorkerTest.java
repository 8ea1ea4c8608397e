package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** A worker whose process is stopped for most of the time is replaced, and the job is as fast as before. */
public class SlowWorkerTest {
    @ClassRule
    public static final TrainingCluster CLUSTER =
            new TrainingCluster("slow-worker", 2, 3).set("yarn.optimus.am.straggler-time", "6s");

    private static final long STOPPED_MILLIS = 400;
    private static final long RUNNING_MILLIS = 100;

    @Rule
    public final Timeout timeout = new Timeout(5, TimeUnit.MINUTES);

    @Rule
    public final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    @Test
    public void isReplacedInSynchronousTraining() throws Exception {
        replacesAStraggler("synchronous");
    }

    @Test
    public void isReplacedInAsynchronousTraining() throws Exception {
        replacesAStraggler("asynchronous");
    }

    private void replacesAStraggler(String mode) throws Exception {
        SubmittedJob job = jobs.submit("slow-" + mode, yaml(mode));
        Await.until("the job runs with 3 workers", Duration.ofMinutes(2), () -> job.workers() == 3);
        Map<String, String> members = job.members();
        String slow = members.get("worker-1");
        AtomicBoolean replaced = new AtomicBoolean();
        Thread slowing = new Thread(() -> stopAndGoOn(slow, replaced), "slowing");
        slowing.start();

        Await.until("worker-1 is no member any more", Duration.ofMinutes(2), () -> !job.members()
                .containsKey("worker-1"));
        replaced.set(true);
        slowing.join();
        Await.until("the job has 3 workers again", Duration.ofMinutes(1), () -> {
            Map<String, String> now = job.members();
            return now.size() == members.size() && !now.containsValue(slow);
        });

        JsonNode status = job.status();
        assertThat(status.path("lostTasks").asInt()).isZero();
        assertThat(status.path("survived").path("last").toString()).contains("worker-1", "is replaced");
        job.kill();
    }

    /** Stops the process again and again until it is gone. */
    private static void stopAndGoOn(String container, AtomicBoolean replaced) {
        try {
            while (!replaced.get()) {
                SubmittedJob.signal(container, "STOP");
                // The times of running and standing still are what makes it slow.
                Thread.sleep(STOPPED_MILLIS);
                SubmittedJob.signal(container, "CONT");
                Thread.sleep(RUNNING_MILLIS);
            }
        } catch (Exception | AssertionError ended) {
            // Its container has ended.
        }
    }

    private static String yaml(String mode) {
        return """
                name: slow-%1$s
                engine: emulated
                model: mlp
                dataset: digits
                mode: %1$s
                globalBatch: 48
                stop: {maxEpochs: 1000000}
                emulated: {wraps: java, speed: {secondsFixed: 0.02}}
                roles:
                  worker: {min: 3, max: 3, memoryMb: 300, gpus: 1}
                  ps: {min: 1, max: 1, memoryMb: 300}
                """
                .formatted(mode);
    }
}
