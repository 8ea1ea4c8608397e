package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;

/** The commands {@code what-if} and {@code capacity}. */
public final class ForecastCommandsTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void asksWhatWouldHappenAndPrintsIt() throws IOException {
        cluster.answers.put(
                "/what-if",
                "{\"mode\":\"advise\",\"assumptions\":[\"no node fails\"],\"changes\":[{\"job\":{\"name\":\"a\",\"queue\":"
                        + "\"root.default\",\"reason\":\"It starts.\",\"speedFrom\":\"unknown\",\"stepsFrom\":\"given\","
                        + "\"forecast\":{\"planned\":{\"parameterServers\":1,\"workers\":2},\"start\":\"now\",\"end\":"
                        + "\"no predicted end: unknown\"}},\"all\":{\"jobs\":1,\"compared\":1,\"later\":1,\"sooner\":0,"
                        + "\"meanLaterSeconds\":90,\"sumLaterSeconds\":90},\"jobs\":[{\"id\":\"application_1_7\",\"allocation\":"
                        + "{\"parameterServers\":0,\"workers\":4},\"before\":{\"endSeconds\":10,\"end\":\"in 10 s\"},\"after\":"
                        + "{\"planned\":{\"parameterServers\":0,\"workers\":3},\"endSeconds\":null},\"laterSeconds\":null}]}]}");

        assertThat(optimus.run(
                        "what-if",
                        optimus.jobFile().toString(),
                        "--step-seconds",
                        "0.5",
                        "--steps",
                        "1000",
                        "--policy",
                        "root.a=drf",
                        "--policy",
                        "optimus",
                        "--queue-limit",
                        "root.a=60",
                        "--lose-node",
                        "n7:1",
                        "--add-node",
                        "memory=1024,vcores=2,gpus=1,type=a100"))
                .as(optimus.err())
                .isZero();

        JsonNode asked = new ObjectMapper().readTree(cluster.asked);
        assertThat(asked.path("job").path("registration").path("name").asText()).isEqualTo("a");
        assertThat(asked.path("job")
                        .path("speeds")
                        .path(0)
                        .path("stepsPerSecond")
                        .asDouble())
                .isEqualTo(2);
        assertThat(asked.path("job").path("steps").asDouble()).isEqualTo(1000);
        assertThat(asked.path("policy").asText()).isEqualTo("optimus");
        assertThat(asked.path("policies").path("root.a").asText()).isEqualTo("drf");
        assertThat(asked.path("queueLimits").path("root.a").asDouble()).isEqualTo(60);
        assertThat(asked.path("lostNodes").path(0).asText()).isEqualTo("n7:1");
        assertThat(asked.path("addedNodes")).hasSize(1);
        assertThat(optimus.out())
                .contains("first size: 1 ps 2 w", "start:      now", "no predicted end: unknown", "It starts.")
                .contains("1 later", "90 s later", "application_1_7", "4 w", "3 w", "In mode advise", "no node fails");
        assertThat(cluster.submitted).isEmpty();

        assertThat(optimus.run("what-if", "--policy", "drf", "--output", "json"))
                .isZero();
        assertThat(optimus.run("what-if")).isEqualTo(2);
        assertThat(optimus.err()).contains("Name a change");
        assertThat(optimus.run("what-if", "--add-node", "memory=much,disk=1")).isEqualTo(2);
        assertThat(optimus.err()).contains("much is no whole number", "disk is none of");
        assertThat(optimus.run("what-if", optimus.folder() + "/none.yaml")).isEqualTo(2);
    }

    @Test
    public void saysWhatTheNextNodeWouldSave() {
        cluster.answers.put(
                "/capacity",
                "{\"assumptions\":[],\"changes\":[{\"node\":{\"resources\":{\"memory-mb\":1024},\"gpuType\":\"a100\",\"like\":3},"
                        + "\"all\":{\"jobs\":2,\"compared\":2,\"later\":0,\"sooner\":2,\"meanLaterSeconds\":-300,"
                        + "\"sumLaterSeconds\":-600},\"jobs\":[]}]}");

        assertThat(optimus.run("capacity")).isZero();
        assertThat(optimus.out())
                .contains("like 3 others (memory-mb:1024 of type a100)", "2 would end sooner", "5 min sooner");
    }
}
