package io.optimus.am.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class RestSchedulerClientTest {
    private static final String ID = "application_1_0001";

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final Set<Integer> ports = Collections.synchronizedSet(new HashSet<>());
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private RestSchedulerClient client;

    @Before
    public void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        Configuration configuration = new YarnConfiguration();
        configuration.set(
                YarnConfiguration.RM_WEBAPP_ADDRESS,
                "localhost:" + server.getAddress().getPort());
        client = new RestSchedulerClient(configuration);
    }

    @After
    public void stop() {
        server.stop(0);
    }

    @Test
    public void followsAJobOverOneConnection() {
        for (int i = 0; i < 20; i++) {
            assertThat(client.job(ID).job(ID)).isPresent();
        }

        assertThat(ports).hasSize(1);
        assertThat(requests).hasSize(20).containsOnly("GET /ws/v1/optimus/jobs/" + ID);
    }

    @Test
    public void knowsThatThereIsNoSuchJob() throws IOException {
        assertThat(client.job("application_1_0002").jobs()).isEmpty();
        assertThat(client.job("application_1_0002").remark()).isEmpty();
        assertThat(client.find("/jobs/application_1_0002/explain")).isEmpty();
    }

    private void answer(HttpExchange exchange) throws IOException {
        ports.add(exchange.getRemoteAddress().getPort());
        String path = exchange.getRequestURI().getPath();
        requests.add(exchange.getRequestMethod() + " " + path);
        boolean known = path.contains(ID);
        byte[] body = (known ? "{\"id\":\"" + ID + "\"}" : "{\"message\":\"There is no such job\"}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(known ? 200 : 404, body.length);
        // HttpExchange.close() would close the connection, too.
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}
