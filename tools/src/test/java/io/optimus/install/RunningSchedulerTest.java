package io.optimus.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Asks ResourceManagers that answer what the test says. */
public final class RunningSchedulerTest {
    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    private final Map<String, String> answers = new HashMap<>();
    private HttpServer server;

    @Before
    public void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String answer = answers.get(exchange.getRequestURI().getPath());
            byte[] body = String.valueOf(answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : answer.isEmpty() ? 401 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        answers.put("/ws/v1/cluster/info", "{\"clusterInfo\":{\"hadoopVersion\":\"3.4.2\",\"haState\":\"ACTIVE\"}}");
    }

    @After
    public void stop() {
        server.stop(0);
    }

    @Test
    public void tellsModeAndVersion() throws Exception {
        optimus("advise", "");
        assertThat(ask().serves()).isTrue();
        assertThat(ask().lines())
                .singleElement()
                .asString()
                .contains("Hadoop 3.4.2, active", "Optimus 1.2 is in mode ADVISE", "policy fifo", "jobs 3");

        optimus("enforce", "");
        assertThat(ask().lines().get(0)).contains("is ON");
        optimus("off", "");
        assertThat(ask().serves()).isFalse();
        optimus("enforce", "\"port 8034 is taken\"");
        assertThat(ask().serves()).isFalse();
        assertThat(ask().lines().get(1)).contains("Problem: port 8034 is taken");
    }

    @Test
    public void namesTheSchedulerThatRunsInstead() throws Exception {
        answers.put("/conf", "{\"property\":{\"value\":\"org.example.CapacityScheduler\"}}");

        assertThat(ask().serves()).isFalse();
        assertThat(ask().lines().get(0)).contains("Optimus is OFF", "runs org.example.CapacityScheduler");
    }

    @Test
    public void saysWhyItCannotTell() throws Exception {
        answers.put("/ws/v1/cluster/info", "");
        assertThat(ask().lines().get(0)).contains("curl --negotiate");
        answers.put("/ws/v1/cluster/info", "<html>");
        assertThat(ask().lines().get(0)).contains("is this a ResourceManager's web address?");
        answers.remove("/ws/v1/cluster/info");
        assertThat(ask().lines().get(0)).contains("answers 404");
        server.stop(0);
        assertThat(ask().lines().get(0)).contains("does not answer", "Is the ResourceManager up?");
    }

    @Test
    public void findsTheAddressesInTheConfiguration() {
        assertThat(RunningScheduler.addresses(Map.of())).containsExactly("http://localhost:8088");
        assertThat(RunningScheduler.addresses(Map.of(
                        "yarn.resourcemanager.hostname",
                        "rm",
                        "yarn.resourcemanager.webapp.address",
                        "${yarn.resourcemanager.hostname}:9099")))
                .containsExactly("http://rm:9099");
        assertThat(RunningScheduler.addresses(Map.of(
                        "yarn.resourcemanager.ha.rm-ids", "rm1, rm2",
                        "yarn.resourcemanager.hostname.rm1", "one",
                        "yarn.resourcemanager.hostname.rm2", "two",
                        "yarn.http.policy", "HTTPS_ONLY",
                        "yarn.resourcemanager.webapp.https.address.rm2", "two:9443")))
                .containsExactly("https://one:8090", "https://two:9443");
    }

    private void optimus(String mode, String problem) {
        answers.put(
                "/ws/v1/optimus",
                "{\"scheduler\":\"optimus\",\"version\":\"1.2\",\"mode\":\"" + mode
                        + "\",\"policy\":\"fifo\",\"problems\":[" + problem + "],\"jobs\":3,\"rounds\":7}");
    }

    private RunningScheduler.Answer ask() throws Exception {
        return new RunningScheduler("http://localhost:" + server.getAddress().getPort()).ask();
    }
}
