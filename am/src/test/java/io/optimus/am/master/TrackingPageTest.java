package io.optimus.am.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.job.Specs;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.Test;

public class TrackingPageTest {
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    public void servesPeopleAndPrograms() throws IOException, InterruptedException {
        TrainingJob job = new TrainingJob(
                new JobIdentity("application_1_1", 1, "ann", Specs.emulated(), 0, () -> 1_000),
                new FakeContainers(),
                new FakeLauncher(),
                new FakeCoordinator(),
                new ListJournal(),
                new JobStory(TrainingMode.SYNCHRONOUS),
                MasterSettings.DEFAULT,
                outcome -> {});
        try (TrackingPage page = new TrackingPage(job::status)) {
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
        try (TrackingPage page = new TrackingPage(() -> {
            throw new IllegalStateException("busy");
        })) {
            assertThat(get(page, "/api/status").statusCode()).isEqualTo(503);
        }
    }

    private HttpResponse<String> get(TrackingPage page, String path) throws IOException, InterruptedException {
        URI address = URI.create("http://localhost:" + page.port() + path);
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(10)).build();
        return client.send(request, BodyHandlers.ofString());
    }
}
