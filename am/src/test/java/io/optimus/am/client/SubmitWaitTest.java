package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;

/** What {@code submit --wait} shows of the job, and how it ends. */
public final class SubmitWaitTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void waitsAndShowsProgressUntilTheJobSucceeds() throws IOException {
        cluster.pauses.add(() -> {
            cluster.state("RUNNING", Outcome.OPEN, "");
            optimus.schedule(1, 2);
        });
        cluster.pauses.add(() -> {});
        cluster.pauses.add(() -> optimus.schedule(2, 2));

        assertThat(optimus.submit("--wait")).isZero();
        assertThat(optimus.out())
                .containsSubsequence(
                        "ACCEPTED",
                        "RUNNING  epoch 3.2, step 140, loss 0.4321, ps 1, workers 1 -> 2, 12.3 steps/s, ends in 5 to 40 min"
                                + " (paced)",
                        "workers 2, ",
                        "SUCCEEDED after 42 s")
                .containsOnlyOnce("1 -> 2");
    }

    @Test
    public void drawsABarOnATerminal() {
        cluster.columns = 60;
        cluster.pauses.add(() -> optimus.schedule(1, 2));
        cluster.pauses.add(() -> {});

        assertThat(optimus.submit("--wait")).isZero();

        assertThat(optimus.out()).contains("\r[                    ]   ? %  ACCEPTED");
        assertThat(optimus.out().lines()).contains("SUCCEEDED after 42 s");
    }

    @Test
    public void exitsByTheOutcomeOfTheJobAndCleansUpForItsMaster() throws IOException {
        cluster.pauses.add(() -> cluster.state("FINISHED", Outcome.FAILED, "worker-3 ran out of memory"));

        assertThat(optimus.submit("--wait")).isEqualTo(1);
        assertThat(optimus.out()).contains("FAILED after 42 s: worker-3 ran out of memory");
        assertThat(optimus.jobFolder().resolve("job.secret")).doesNotExist();
        assertThat(optimus.jobFolder().resolve("job.json")).exists();
    }

    @Test
    public void waitsForAResourceManagerThatRestarts() {
        cluster.pauses.add(() -> cluster.away = true);
        cluster.pauses.add(() -> {});
        cluster.pauses.add(() -> cluster.away = false);

        assertThat(optimus.submit("--wait")).isZero();
        assertThat(optimus.out())
                .containsOnlyOnce("does not answer, waiting for it: Connection refused")
                .containsSubsequence("waiting for it", "SUCCEEDED after 42 s");
    }

    @Test
    public void distinguishesAJobThatItNoLongerSeesFromOneThatFailed() throws IOException {
        cluster.pauseMillis = 10 * 60_000;
        for (int pause = 0; pause < 5; pause++) {
            cluster.pauses.add(() -> cluster.away = true);
        }

        assertThat(optimus.submit("--wait")).isEqualTo(3);
        assertThat(optimus.out()).contains("Stopped waiting for " + FakeClusterClient.ID + ", which may go on");
        assertThat(optimus.jobFolder().resolve("job.secret")).exists();

        cluster.away = false;
        cluster.pauses.clear();
        cluster.pauses.add(cluster.applications::clear);
        assertThat(optimus.submit("--wait")).isEqualTo(3);
        assertThat(optimus.out()).contains("YARN no longer knows " + FakeClusterClient.ID);
    }

    @Test
    public void saysOnceThatTheSchedulerDoesNotAnswer() {
        cluster.remark = "the cluster's scheduler is not OptimusScheduler";
        cluster.pauses.add(() -> {});
        cluster.pauses.add(() -> {});

        assertThat(optimus.submit("--wait")).isZero();
        assertThat(optimus.out()).containsOnlyOnce("is not OptimusScheduler");
    }
}
