package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** In mode {@code off} the scheduler does not serve training jobs: they train at their minimum, and say why. */
public class ModeOffTest {
    private static final int PORT = TrainingCluster.freePorts(1).get(0);

    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("off", 1, 3)
            .set("yarn.scheduler.optimus.mode", "off")
            .set("yarn.resourcemanager.optimus.address", "localhost:" + PORT);

    @Rule
    public final Timeout timeout = new Timeout(5, TimeUnit.MINUTES);

    @Test
    public void aJobTrainsAtItsMinimumAndNamesTheSettingsToLookAt() throws Exception {
        assertNoServerListens();
        SubmittedJob job = SubmittedJob.submit(
                CLUSTER,
                "alone",
                """
                name: alone
                engine: java
                model: mlp
                dataset: digits
                mode: synchronous
                globalBatch: 64
                stop: {maxEpochs: 100000}
                roles:
                  worker: {min: 2, max: 3, memoryMb: 300, gpus: 1}
                  ps: {min: 1, max: 2, memoryMb: 300}
                """);

        Await.until("the job trains at its minimum", Duration.ofMinutes(3), () -> job.workers() == 2);
        assertThat(job.status().path("reason").asText())
                .contains("fixed size: no scheduler of training jobs answers")
                .contains("localhost:" + PORT)
                .contains("yarn.scheduler.optimus.mode not off");
        job.kill();
    }

    private static void assertNoServerListens() throws Exception {
        try (Socket socket = new Socket("localhost", PORT)) {
            throw new AssertionError("a server listens: " + socket);
        } catch (ConnectException refused) {
            assertThat(refused).hasMessageContaining("refused");
        }
    }
}
