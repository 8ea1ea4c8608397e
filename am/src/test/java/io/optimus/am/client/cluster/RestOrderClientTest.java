package io.optimus.am.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class RestOrderClientTest {
    @Rule
    public final Timeout timeout = new Timeout(30, TimeUnit.SECONDS);

    private final List<HttpServer> servers = new ArrayList<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();

    @After
    public void stop() {
        servers.forEach(server -> server.stop(0));
    }

    @Test
    public void asksTheNextResourceManagerIfOneIsAStandby() throws Exception {
        Configuration pair = new YarnConfiguration();
        pair.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        pair.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        pair.set(YarnConfiguration.RM_WEBAPP_ADDRESS + ".rm1", answering(307, ""));
        pair.set(YarnConfiguration.RM_WEBAPP_ADDRESS + ".rm2", answering(200, "{}"));

        new RestOrderClient(pair).takeBack("/drained-nodes/gpu01%3A8041");

        String call = "DELETE /ws/v1/optimus/drained-nodes/gpu01%3A8041?user.name="
                + UserGroupInformation.getCurrentUser().getShortUserName();
        assertThat(calls).containsExactly(call, call);
    }

    @Test
    public void failsWithTheReasonOfARefusal() throws Exception {
        RestOrderClient client = new RestOrderClient(
                configuration(answering(403, "{\"status\":403,\"message\":\"ann may not do this\"}")));

        assertThatThrownBy(() -> client.give("/pause"))
                .isInstanceOf(IOException.class)
                .hasMessage("ann may not do this");
    }

    @Test
    public void failsWithTheStatusIfTheAnswerHasNoReason() throws Exception {
        RestOrderClient client = new RestOrderClient(configuration(answering(404, "<html>")));

        assertThatThrownBy(() -> client.give("/pause")).hasMessageContaining("status 404");
    }

    private static Configuration configuration(String address) {
        Configuration one = new YarnConfiguration();
        one.set(YarnConfiguration.RM_WEBAPP_ADDRESS, address);
        return one;
    }

    private String answering(int status, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        servers.add(server);
        server.createContext("/", exchange -> answer(exchange, status, body));
        server.start();
        return "localhost:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            // The first call of a connection may be Hadoop's own question how to authenticate.
            if (!exchange.getRequestMethod().equals("OPTIONS")) {
                calls.add(exchange.getRequestMethod() + " "
                        + exchange.getRequestURI().toASCIIString());
                exchange.getResponseHeaders().add("Location", "http://localhost:1/");
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(
                    exchange.getRequestMethod().equals("OPTIONS") ? 200 : status,
                    bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
