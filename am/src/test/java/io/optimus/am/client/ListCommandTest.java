package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;

public final class ListCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void listsJobsWithTheirProgress() {
        cluster.state("RUNNING", Outcome.OPEN, "");
        optimus.schedule(1, 2);

        assertThat(optimus.run("list")).isZero();
        assertThat(optimus.out()).contains(FakeClusterClient.ID, "RUNNING", "0.4321", "1 -> 2");
    }

    @Test
    public void listsEndedJobsOnlyWhenAsked() {
        cluster.state("FINISHED", Outcome.SUCCEEDED, "");

        optimus.run("list");
        assertThat(optimus.out()).doesNotContain(FakeClusterClient.ID);
        optimus.run("list", "--all");
        assertThat(optimus.out()).contains(FakeClusterClient.ID, "SUCCEEDED");
    }

    @Test
    public void listsResultsOfEndedJobs() {
        cluster.state("FINISHED", Outcome.SUCCEEDED, "");
        cluster.answers.put(
                "/history?limit=1000",
                "{\"jobs\":[{\"id\":\"" + FakeClusterClient.ID + "\",\"loss\":0.125,\"step\":140,\"epoch\":3,"
                        + "\"accuracy\":0.91,\"output\":\"hdfs:/models/a\"}]}");

        assertThat(optimus.run("list", "--all")).isZero();
        assertThat(optimus.out()).contains("SUCCEEDED", "0.1250", "0.9100", "hdfs:/models/a");
    }

    @Test
    public void printsForPrograms() throws IOException {
        cluster.state("RUNNING", Outcome.OPEN, "");
        optimus.schedule(1, 2);

        assertThat(optimus.run("list", "--output", "json")).isZero();
        JsonNode list = new ObjectMapper().readTree(optimus.out());
        assertThat(list.get(0).get("id").asText()).isEqualTo(FakeClusterClient.ID);
        assertThat(list.get(0).get("loss").asDouble()).isEqualTo(0.43213);
        assertThat(list.get(0).get("planned").get("workers").asInt()).isEqualTo(2);

        assertThat(optimus.run("status", FakeClusterClient.ID, "--output", "yaml"))
                .isZero();
        assertThat(optimus.out()).contains("id: " + FakeClusterClient.ID + "\n", "state: RUNNING\n");
        assertThat(optimus.run("list", "--output", "xml")).isEqualTo(2);
    }
}
