package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import org.junit.Rule;
import org.junit.Test;

public final class ExplainCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void explainsAJobInTheWordsOfTheScheduler() {
        cluster.state("RUNNING", Outcome.OPEN, "");
        cluster.answers.put(
                "/jobs/" + FakeClusterClient.ID + "/explain",
                "{\"queue\":\"root.a\",\"policy\":\"optimus\",\"text\":[\"Why: it waits.\",\"Asked: 1 worker.\"]}");

        assertThat(optimus.run("explain", FakeClusterClient.ID)).isZero();
        assertThat(optimus.out())
                .containsSubsequence("queue root.a, policy optimus", "Why: it waits.", "Asked: 1 worker.");
        assertThat(optimus.run("explain", FakeClusterClient.ID, "--output", "json"))
                .isZero();
        assertThat(optimus.out()).contains("\"policy\"");
    }

    @Test
    public void explainsAJobThatHasEnded() {
        cluster.state("FINISHED", Outcome.SUCCEEDED, "");
        cluster.answers.put(
                "/jobs/" + FakeClusterClient.ID + "/explain",
                "{\"queue\":\"root.a\",\"state\":\"ended\",\"outcome\":\"succeeded\",\"step\":938,\"loss\":0.11304,"
                        + "\"largest\":{\"parameterServers\":1,\"workers\":3},\"resizes\":2,\"reason\":\"Grows.\"}");

        assertThat(optimus.run("explain", FakeClusterClient.ID)).isZero();
        assertThat(optimus.out())
                .contains(
                        "queue root.a, has ended: succeeded at step 938, loss 0.1130, on at most 1 ps 3 w, resizes: 2",
                        "The last reason for its size: Grows.");
    }

    @Test
    public void explainsAJobThatTheSchedulerDoesNotKnow() {
        cluster.state("ACCEPTED", Outcome.OPEN, "Queue's AM resource limit exceeded.");

        assertThat(optimus.run("explain", FakeClusterClient.ID)).isZero();
        assertThat(optimus.out()).contains("is ACCEPTED", "YARN says: Queue's AM resource limit exceeded.");
        assertThat(optimus.run("explain", FakeClusterClient.ID, "--output", "json"))
                .isZero();
        assertThat(optimus.out()).contains("\"state\" : \"ACCEPTED\"");

        cluster.state("KILLED", Outcome.KILLED, "");
        assertThat(optimus.run("explain", FakeClusterClient.ID)).isZero();
        assertThat(optimus.out()).contains("has ended: killed. The scheduler has forgotten it");
    }
}
