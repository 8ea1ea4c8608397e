package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;

public final class PlanCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void saysThatAPlanIsKeptSinceARestart() {
        cluster.answers.put(
                "/plan", "{\"number\":9,\"frozen\":true,\"mode\":\"enforce\",\"next\":null,\"rounds\":[],\"jobs\":[]}");
        cluster.answers.put("/jobs?fields=id,name,user,queue,allocation", "{\"next\":null,\"jobs\":[]}");

        assertThat(optimus.run("plan")).isZero();

        assertThat(optimus.out()).contains("Plan 9, kept since a restart: no round has decided yet");
    }

    @Test
    public void showsThePlanOfEveryPage() throws IOException {
        cluster.answers.put(
                "/plan",
                "{\"number\":9,\"frozen\":false,\"mode\":\"advise\",\"next\":\"application_1_7\",\"rounds\":[],\"jobs\":[{\"id\":"
                        + "\"application_1_7\",\"planned\":{\"parameterServers\":1,\"workers\":4},\"reason\":\"largest gain\"}]}");
        cluster.answers.put(
                "/plan?after=application_1_7",
                "{\"number\":9,\"next\":null,\"rounds\":[],\"jobs\":[{\"id\":\"application_1_8\",\"planned\":"
                        + "{\"parameterServers\":0,\"workers\":0},\"reason\":\"no room\"}]}");
        cluster.answers.put(
                "/jobs?fields=id,name,user,queue,allocation",
                "{\"next\":null,\"jobs\":[{\"id\":\"application_1_7\",\"name\":\"a\",\"user\":\"ann\",\"queue\":\"root.b\","
                        + "\"allocation\":{\"parameterServers\":0,\"workers\":2}}]}");

        assertThat(optimus.run("plan")).isZero();
        assertThat(optimus.out()).contains("Plan 9, which is only advice");
        assertThat(optimus.out().lines().filter(line -> line.startsWith("application_")))
                .satisfiesExactly(
                        line -> assertThat(line).containsSubsequence("root.b", "2 w", "1 ps 4 w", "largest gain"),
                        line -> assertThat(line).containsSubsequence("-", "-", "none", "no room"));

        optimus.clearOut();
        assertThat(optimus.run("plan", "--output", "json")).isZero();
        JsonNode plan = new ObjectMapper().readTree(optimus.out());
        assertThat(plan.path("jobs")).hasSize(2);
        assertThat(plan.path("jobs").path(0).path("user").asText()).isEqualTo("ann");
        assertThat(plan.has("rounds")).isFalse();
    }
}
