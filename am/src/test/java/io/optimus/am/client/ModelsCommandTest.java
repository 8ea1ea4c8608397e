package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;

public final class ModelsCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void showsTheFittedModels() throws IOException {
        String model = "\"id\":\"" + FakeClusterClient.ID
                + "\",\"name\":\"a\",\"mode\":\"synchronous\",\"lossCurve\":{\"outcome\":"
                + "\"fitted\",\"family\":\"inverse\",\"beta0\":0.5,\"beta1\":2.25,\"firstStep\":0,\"bendStep\":40,"
                + "\"residual\":0.0123,\"points\":120,\"young\":false},\"speedFunction\":{\"outcome\":\"fitted\","
                + "\"relativeError\":0.031,\"sizes\":3,\"young\":false,\"theta0\":1.5,\"measured\":[{\"parameterServers\":1,"
                + "\"workers\":4,\"nodes\":2,\"stepsPerSecond\":12.5}]},\"remaining\":{\"steps\":900,\"fewestSteps\":800,"
                + "\"mostSteps\":1000,\"endStep\":1900,\"vague\":false}";
        cluster.answers.put("/models", "{\"next\":null,\"jobs\":[{" + model + "}]}");
        cluster.answers.put("/jobs/" + FakeClusterClient.ID, "{\"queue\":\"root.b\"," + model + "}");

        assertThat(optimus.run("models")).isZero();
        assertThat(optimus.out())
                .containsSubsequence(
                        FakeClusterClient.ID, "synchronous", "inverse", "120", "0.0123", "900", "3", "3.1 %");
        assertThat(optimus.run("models", FakeClusterClient.ID)).isZero();
        assertThat(optimus.out())
                .contains("beta0 0.5000, beta1 2.250", "0.0123 over 120 points, from step 40", "between 800 and 1000")
                .contains("theta0 1.500", "3.1 % over 3 sizes", "12.500");
        optimus.clearOut();
        assertThat(optimus.run("models", FakeClusterClient.ID, "--output", "yaml"))
                .isZero();
        assertThat(optimus.out()).contains("family: inverse").doesNotContain("root.b");

        cluster.answers.put("/jobs/" + FakeClusterClient.ID, "{\"outcome\":\"succeeded\"}");
        assertThat(optimus.run("models", FakeClusterClient.ID)).isEqualTo(1);
        assertThat(optimus.err()).contains("has ended (succeeded)", "history");
    }
}
