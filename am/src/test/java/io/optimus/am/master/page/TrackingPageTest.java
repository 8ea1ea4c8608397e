package io.optimus.am.master.page;

import static io.optimus.am.wire.TaskId.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CurrentBatch;
import io.optimus.am.job.JobSpecs;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.FakeCoordinator;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.PlanFollowerFixture;
import io.optimus.am.master.plan.TaskView;
import io.optimus.am.master.yarn.ProxyFilter;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.PortRange;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.GradientNoise;
import java.io.IOException;
import java.net.BindException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class TrackingPageTest {
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    public void servesHtmlAndJson() throws IOException, InterruptedException {
        StatusView status = status(Directive.NONE, List.of(), List.of());
        try (TrackingPage page = new TrackingPage(PortRange.ANY, Optional.empty(), () -> status)) {
            HttpResponse<String> html = get(page, "/");
            HttpResponse<String> json = get(page, "/api/status");

            assertThat(html.statusCode()).isEqualTo(200);
            assertThat(html.body()).contains("application_1_1", "waits for the scheduler&#39;s first plan");
            assertThat(new ObjectMapper().readTree(json.body()).path("name").asText())
                    .isEqualTo("emulated");
            assertThat(get(page, "/elsewhere").statusCode()).isEqualTo(404);
            assertThat(get(page, "/static/page.js").headers().firstValue("Content-Type"))
                    .contains("text/javascript;charset=utf-8");
            assertThat(get(page, "/static/StatusHtml.class").statusCode()).isEqualTo(404);
        }
    }

    @Test
    public void sendsStrangersToYarnsProxyAndAnswersTheProxy() throws IOException, InterruptedException {
        StatusView status = status(Directive.NONE, List.of(), List.of());
        // An address that is set aside for documentation: nobody's.
        try (TrackingPage page = new TrackingPage(PortRange.ANY, proxy("192.0.2.1:8088"), () -> status)) {
            for (String path : List.of("/", "/api/status")) {
                HttpResponse<String> sent = get(page, path);

                assertThat(sent.statusCode()).isEqualTo(302);
                assertThat(sent.headers().firstValue("Location"))
                        .contains("http://192.0.2.1:8088/proxy/redirect/application_1_1" + path);
                assertThat(sent.body()).doesNotContain("emulated");
            }
        }
        try (TrackingPage page = new TrackingPage(PortRange.ANY, proxy("localhost:8088"), () -> status)) {
            assertThat(get(page, "/").statusCode()).isEqualTo(200);
            assertThat(get(page, "/").body()).contains("application_1_1");
            assertThat(get(page, "/api/status").body()).contains("\"emulated\"");
        }
    }

    private static Optional<ProxyFilter> proxy(String resourceManager) {
        Configuration configuration = new Configuration(false);
        configuration.set("yarn.resourcemanager.webapp.address", resourceManager);
        return ProxyFilter.of(configuration, Map.of("APPLICATION_WEB_PROXY_BASE", "/proxy/application_1_1"));
    }

    @Test
    public void refusesWhatIsNotARead() throws IOException, InterruptedException {
        StatusView status = status(Directive.NONE, List.of(), List.of());
        try (TrackingPage page = new TrackingPage(PortRange.ANY, Optional.empty(), () -> status)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + page.port() + "/"))
                    .timeout(Duration.ofSeconds(40))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();

            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(405);
        }
    }

    @Test
    public void saysWhichRangeHasNoFreePort() throws IOException, InterruptedException {
        StatusView status = status(Directive.NONE, List.of(), List.of());
        try (TrackingPage first = new TrackingPage(PortRange.ANY, Optional.empty(), () -> status)) {
            PortRange taken = new PortRange(first.port(), first.port());

            assertThatThrownBy(() -> new TrackingPage(taken, Optional.empty(), () -> status))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("yarn.optimus.port-range");
        }
    }

    @Test
    public void saysSoIfTheJobDoesNotAnswer() throws IOException, InterruptedException {
        try (TrackingPage page = new TrackingPage(PortRange.ANY, Optional.empty(), () -> {
            throw new IllegalStateException("busy");
        })) {
            assertThat(get(page, "/api/status").statusCode()).isEqualTo(503);
        }
    }

    @Test
    public void answersWhileOtherCallersSendHalfARequest() throws IOException, InterruptedException {
        List<Socket> sockets = new ArrayList<>();
        try (TrackingPage page = new TrackingPage(PortRange.ANY, Optional.empty(), () -> {
            throw new IllegalStateException("busy");
        })) {
            for (int i = 0; i < 8; i++) {
                Socket socket = new Socket("localhost", page.port());
                sockets.add(socket);
                socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
            }

            assertThat(get(page, "/elsewhere").statusCode()).isEqualTo(404);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    public void showsTasksTheirLogsAndThePacing() {
        TaskView task = new TaskView(
                server(0),
                new TaskContainer("container_0", "a:1", Role.PARAMETER_SERVER, 512, "http://a/log", false),
                "member",
                2);
        StatusView status = status(
                PlanFollowerFixture.plan(7, new Allocation(1, 1), Allocation.NONE),
                List.of(new LossPoint(10, 0.9), new LossPoint(20, 0.5)),
                List.of(task));

        assertThat(new String(StatusJson.write(status), StandardCharsets.UTF_8))
                .contains("\"paced\":true", "\"task\":\"ps-0\"", "\"state\":\"member\"", "[10,0.9]")
                .contains("\"planned\":{\"ps\":1,\"workers\":1}", "\"plan\":7", "\"survivingTasksRestarted\":0")
                .contains("\"metrics\":{\"acc<1\":0.875}");
        assertThat(new String(StatusHtml.write(status), StandardCharsets.UTF_8))
                .contains("Reported acc&lt;1", "0.875")
                .contains("paced to a given speed function", "<a href=\"http://a/log\">container_0</a>")
                .contains("id=\"loss-chart\"", "<a href=\"http://rm/cluster/optimus/job/application_1_1\">")
                .doesNotContain("acc<1");
    }

    @Test
    public void showsTheBatchOfAJobThatAdaptsIt() {
        CurrentBatch batch =
                new CurrentBatch(new BatchLimits(32, 512, 1, 64), 128, 1, Optional.of(new GradientNoise(1, 3)), 9);
        FakeCoordinator training = new FakeCoordinator();
        training.progress = new CoordinatorStatus.Progress(
                20, 0.5, 40, OptionalDouble.empty(), OptionalDouble.empty(), Optional.of(batch));
        StatusView status = status(training, Directive.NONE, List.of(), List.of());

        assertThat(new String(StatusJson.write(status), StandardCharsets.UTF_8))
                .contains("\"batch\":{\"initial\":32,\"max\":512,\"samples\":128,\"parts\":2,\"noiseScale\":96.0,")
                .contains("\"updates\":9}");
        assertThat(new String(StatusHtml.write(status), StandardCharsets.UTF_8))
                .contains("128 samples, of 32 to 512", "96.00 samples", "2.286 steps");
    }

    @Test
    public void saysWhatTheJobHasSurvived() {
        StatusView status = status(Directive.NONE, List.of(), List.of());

        assertThat(new String(StatusJson.write(status), StandardCharsets.UTF_8))
                .contains("\"survived\":{\"events\":7,\"stepsRedone\":12,\"stalledMillis\":1234,"
                        + "\"longestStallMillis\":1000,\"refusedCallers\":520,\"last\":[{\"atMillis\":700,")
                .contains("\"what\":\"a worker was lost: training goes on\",\"stallMillis\":40}]");
        assertThat(new String(StatusHtml.write(status), StandardCharsets.UTF_8))
                .containsSubsequence("Survived", "a worker was lost: training goes on", "40 ms", "&lt;killed&gt;");
    }

    private static Survived survived() {
        return new Survived(
                List.of(
                        new Survived.Event(700, "worker-1 on node-2 ended: <killed>", OptionalLong.empty()),
                        new Survived.Event(900, "a worker was lost: training goes on", OptionalLong.of(40))),
                7,
                12,
                1_234,
                1_000,
                520);
    }

    private static StatusView status(Directive directive, List<LossPoint> losses, List<TaskView> tasks) {
        return status(new FakeCoordinator(), directive, losses, tasks);
    }

    private static StatusView status(
            FakeCoordinator training, Directive directive, List<LossPoint> losses, List<TaskView> tasks) {
        return new StatusView(
                new JobIdentity("application_1_1", 1, "ann", JobSpecs.emulated(), 0, () -> 1_000),
                1_000,
                Optional.of("http://rm/cluster/optimus/job/application_1_1"),
                training.status(),
                new StatusView.FollowedPlan(directive, false, false, Collections.emptySortedSet()),
                new StatusView.History(losses, List.of(), new TreeMap<>(Map.of("acc<1", 0.875)), 0, 0, survived()),
                tasks,
                Optional.empty());
    }

    private HttpResponse<String> get(TrackingPage page, String path) throws IOException, InterruptedException {
        URI address = URI.create("http://localhost:" + page.port() + path);
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(40)).build();
        return client.send(request, BodyHandlers.ofString());
    }
}
