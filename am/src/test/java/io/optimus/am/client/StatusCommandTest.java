package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.client.cluster.SchedulerJob;
import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;

public final class StatusCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void showsOneJobWithThePlansReason() {
        cluster.state("RUNNING", Outcome.OPEN, "");
        optimus.schedule(1, 2);

        assertThat(optimus.run("status", FakeClusterClient.ID)).isZero();
        assertThat(optimus.out()).contains("RUNNING", "loss 0.4321", "largest gain");
    }

    @Test
    public void saysSinceWhenAJobWaitsAndThatAPlanIsOnlyAdvice() throws IOException {
        cluster.state("RUNNING", Outcome.OPEN, "");
        cluster.scheduled.put(
                FakeClusterClient.ID,
                SchedulerJob.of(new ObjectMapper()
                        .readTree("{\"id\":\"" + FakeClusterClient.ID
                                + "\",\"waitingSinceMillis\":60000,\"schedulerMode\":\"advise\"}")));
        cluster.answers.put(
                "/jobs/" + FakeClusterClient.ID + "/explain",
                "{\"queue\":\"root.a\",\"policy\":\"optimus\",\"schedulerMode\":\"advise\",\"text\":[]}");

        assertThat(optimus.run("status", FakeClusterClient.ID)).isZero();
        assertThat(optimus.out()).contains("1970-01-01T00:01:00Z", "mode advise");
        assertThat(optimus.run("list")).isZero();
        assertThat(optimus.err()).contains("mode advise");
        assertThat(optimus.run("explain", FakeClusterClient.ID)).isZero();
        assertThat(optimus.out()).contains("policy optimus, mode advise");
        assertThat(optimus.run("status", FakeClusterClient.ID, "--output", "yaml"))
                .isZero();
        assertThat(optimus.out()).contains("schedulerMode: advise", "waitingSinceMillis: 60000");
    }

    @Test
    public void asksForOneJobOnly() throws IOException {
        cluster.state("RUNNING", Outcome.OPEN, "");
        optimus.schedule(1, 2);

        optimus.run("status", FakeClusterClient.ID);
        optimus.submit("--wait");

        assertThat(cluster.questions).isNotEmpty().containsOnly("/jobs/" + FakeClusterClient.ID);
    }
}
