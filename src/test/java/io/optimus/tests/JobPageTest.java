package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.pages.PageFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** The tracking URL of a job, through YARN's proxy, while the job trains and when it has ended. */
public class JobPageTest {
    /** The proxy needs to know its own port before it listens, so the ports are fixed. */
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("page", 1, 0)
            .withCallsOverRpc()
            .set(
                    "yarn.http.rmwebapp.external.classes",
                    "io.optimus.yarn.web.OptimusResource,io.optimus.yarn.page.SchedulerPages");

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Rule
    public final Timeout timeout = new Timeout(5, TimeUnit.MINUTES);

    @Rule
    public final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    private final HttpClient client = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    @Test
    public void theProxyShowsTheJobsOwnPageAndLaterThatOfTheResourceManager() throws Exception {
        SubmittedJob job = submit();
        String page = "/proxy/" + job.id() + "/";
        Await.until("the job has a loss and is registered", LIMIT, () -> {
            String shown = get(page).body();
            return shown.contains("<tr id=\"loss-") && shown.contains("This job in the scheduler");
        });

        String whileTraining = get(page).body();
        assertThat(whileTraining).contains("watched", "/cluster/optimus/job/" + job.id());
        for (String file : new String[] {"page.js", "page.css", "uPlot.iife.min.js", "uPlot.min.css"}) {
            assertThat(whileTraining).contains("\"static/" + file + "\"");
            assertThat(get(page + "static/" + file).body())
                    .as(file)
                    .isEqualTo(PageFile.named(file).orElseThrow().content());
        }
        assertThat(get(page + "api/status").body()).contains("\"watched\"");

        job.result(LIMIT);
        Await.until("YARN knows the end", LIMIT, job::ended);
        // The web applications of the NodeManagers in this JVM replace the ResourceManager's pages. So the test checks
        // only the address.
        assertThat(get(page).uri().getPath()).isEqualTo("/cluster/optimus/job/" + job.id());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI address = URI.create(WebAppUtils.getRMWebAppURLWithScheme(CLUSTER.conf()) + path);
        return client.send(
                HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
    }

    private SubmittedJob submit() throws Exception {
        Path folder = Files.createDirectories(CLUSTER.folder().resolve("watched"));
        Path file = Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: watched
                engine: emulated
                model: mlp
                dataset: digits
                globalBatch: 64
                optimizer: {kind: sgd, learningRate: 0.05, momentum: 0.9}
                stop: {maxEpochs: 30}
                emulated: {wraps: java, speed: {secondsFixed: 0.02}}
                roles:
                  worker: {memoryMb: 300}
                  ps: {memoryMb: 300}
                """);
        return jobs.submit(file, List.of());
    }
}
