package io.optimus.am.master.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.configuration.MasterSettings;
import io.optimus.am.job.JobSpecs;
import io.optimus.am.master.JobController;
import io.optimus.am.master.journal.ListJournal;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.master.plan.FakeCoordinator;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.yarn.FakeContainers;
import io.optimus.am.master.yarn.FakeLauncher;
import io.optimus.am.wire.PortRange;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class TrackingPageTest {
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    public void servesPeopleAndPrograms() throws IOException, InterruptedException {
        JobController job = new JobController(
                new JobIdentity("application_1_1", 1, "ann", JobSpecs.emulated(), 0, () -> 1_000),
                new FakeContainers(),
                new FakeLauncher(),
                new FakeCoordinator(),
                new ListJournal(),
                new TrainingHistory(TrainingMode.SYNCHRONOUS),
                MasterSettings.read(new Configuration(false)),
                outcome -> {});
        try (TrackingPage page = new TrackingPage(PortRange.ANY, job::status)) {
            HttpResponse<String> html = get(page, "/");
            HttpResponse<String> json = get(page, "/api/status");

            assertThat(html.statusCode()).isEqualTo(200);
            assertThat(html.body()).contains("application_1_1", "waiting for the scheduler&#39;s first plan");
            assertThat(new ObjectMapper().readTree(json.body()).path("name").asText())
                    .isEqualTo("emulated");
            assertThat(get(page, "/elsewhere").statusCode()).isEqualTo(404);
        }
    }

    @Test
    public void saysSoWhenTheJobDoesNotAnswer() throws IOException, InterruptedException {
        try (TrackingPage page = new TrackingPage(PortRange.ANY, () -> {
            throw new IllegalStateException("busy");
        })) {
            assertThat(get(page, "/api/status").statusCode()).isEqualTo(503);
        }
    }

    @Test
    public void answersThoughStrangersSendHalfARequest() throws IOException, InterruptedException {
        List<Socket> strangers = new ArrayList<>();
        try (TrackingPage page = new TrackingPage(PortRange.ANY, () -> {
            throw new IllegalStateException("busy");
        })) {
            for (int stranger = 0; stranger < 8; stranger++) {
                Socket socket = new Socket("localhost", page.port());
                strangers.add(socket);
                socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
            }

            assertThat(get(page, "/elsewhere").statusCode()).isEqualTo(404);
        } finally {
            for (Socket socket : strangers) {
                socket.close();
            }
        }
    }

    private HttpResponse<String> get(TrackingPage page, String path) throws IOException, InterruptedException {
        URI address = URI.create("http://localhost:" + page.port() + path);
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(40)).build();
        return client.send(request, BodyHandlers.ofString());
    }
}
