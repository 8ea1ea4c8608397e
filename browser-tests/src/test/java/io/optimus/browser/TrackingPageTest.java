package io.optimus.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpec;
import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.page.StatusView;
import io.optimus.am.master.page.Survived;
import io.optimus.am.master.page.TrackingPage;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.TaskView;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.losses.LossPoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tests the page that an ApplicationMaster serves, in Chromium, below a path as YARN's proxy shows it. */
public final class TrackingPageTest {
    private static final String PROXY = "/proxy/application_1_0001";
    private static final String ENDED = "/cluster/optimus/job/application_1_0001";
    private static final String YARNS_OWN = "/cluster/app/application_1_0001";

    @Rule
    public final Timeout timeout = new Timeout(3, TimeUnit.MINUTES);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final HttpClient client = HttpClient.newHttpClient();
    private Browser browser;
    private TrackingPage page;
    private HttpServer proxy;
    private volatile int steps = 40;
    /** Where the proxy sends callers: empty while the ApplicationMaster answers. */
    private volatile String elsewhere = "";

    @Before
    public void start() throws Exception {
        browser = new Browser(folder.newFolder("profile").toPath());
        page = new TrackingPage(PortRange.ANY, Optional.empty(), this::status);
        proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext(PROXY, this::forward);
        for (String path : List.of(ENDED, YARNS_OWN)) {
            proxy.createContext(
                    path,
                    exchange ->
                            send(exchange, 200, "text/html", "<link rel=icon href=data:,><title>" + path + "</title>"));
        }
        proxy.start();
    }

    @After
    public void stop() {
        List<String> complaints = browser == null ? List.of() : browser.complaints();
        List<String> addresses = browser == null ? List.of() : browser.addresses();
        if (browser != null) {
            browser.close();
        }
        if (page != null) {
            page.close();
        }
        if (proxy != null) {
            proxy.stop(0);
        }
        assertThat(complaints).isEmpty();
        assertThat(addresses).allMatch(each -> each.startsWith("data:") || each.startsWith(address("/")));
    }

    @Test
    public void itGoesOnByItselfHasNoSeriousFaultAndGivesWayWhenTheJobHasEnded() {
        for (String scheme : List.of("light", "dark")) {
            browser.colours(scheme);
            browser.open(address(PROXY + "/"));
            browser.await("charts", () -> browser.all(".plot canvas").size() == 2);
            browser.script("document.querySelectorAll('details').forEach(each => each.open = true)");
            browser.picture("tracking-" + scheme);
            assertThat(browser.seriousFaults()).as(scheme).isEmpty();
        }
        browser.script("window.kept = 'the same page'");
        assertThat(browser.text("#summary")).contains("grows", "3 workers");
        assertThat(browser.find("#links a").getDomAttribute("href")).isEqualTo("http://rm:8088/job");

        steps = 55;
        browser.await("the step goes on", () -> browser.text("#summary").contains("55"));
        browser.await("the curve goes on", () -> browser.attribute("#loss-chart", "data-drawn")
                .equals("55"));
        assertThat(browser.script("return window.kept")).isEqualTo("the same page");

        elsewhere = YARNS_OWN;
        browser.await("it tells that no ApplicationMaster answers", () -> browser.text("#connection")
                .contains("does not answer"));
        steps = 60;
        elsewhere = "";
        browser.await(
                "it goes on with the next one", () -> browser.text("#summary").contains("60"));
        assertThat(browser.text("#connection")).isEmpty();
        assertThat(browser.script("return window.kept")).isEqualTo("the same page");

        elsewhere = ENDED;
        browser.await("the page of the ended job", () -> browser.title().equals(ENDED));
    }

    private String address(String path) {
        return "http://localhost:" + proxy.getAddress().getPort() + path;
    }

    private void forward(HttpExchange exchange) throws IOException {
        if (!elsewhere.isEmpty()) {
            exchange.getResponseHeaders().set("Location", address(elsewhere));
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
            return;
        }
        String path = exchange.getRequestURI().getPath().substring(PROXY.length());
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + page.port() + path))
                            .build(),
                    BodyHandlers.ofString());
            answer.headers().firstValue("Content-Security-Policy").ifPresent(policy -> exchange.getResponseHeaders()
                    .set("Content-Security-Policy", policy));
            send(
                    exchange,
                    answer.statusCode(),
                    answer.headers().firstValue("Content-Type").orElse("text/plain"),
                    answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int code, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private StatusView status() {
        TaskId worker = TaskId.worker(0);
        TaskContainer container = new TaskContainer("container_1", "a:1", Role.WORKER, 1_024, "http://a/log", false);
        return new StatusView(
                new JobIdentity("application_1_0001", 1, "ann", spec(), 0, System::currentTimeMillis),
                1_800_000_060_000L,
                Optional.of("http://rm:8088/job"),
                new CoordinatorStatus(
                        CoordinatorStatus.State.STEPPING,
                        new CoordinatorStatus.Progress(
                                steps,
                                steps / 10.0,
                                10,
                                OptionalDouble.of(0.5),
                                OptionalDouble.of(2),
                                Optional.empty()),
                        Optional.empty(),
                        new MembershipNumber(1, 1),
                        new Allocation(1, 3),
                        new TreeMap<>()),
                new StatusView.FollowedPlan(
                        Directive.onAnyNode(3, new Allocation(1, 3), "grows"),
                        false,
                        true,
                        new TreeSet<>(List.of("b:1"))),
                new StatusView.History(
                        losses(),
                        List.of(resize(0, 1), resize(1, 3)),
                        new TreeMap<>(Map.of("f1", 0.9)),
                        1,
                        0,
                        new Survived(
                                List.of(new Survived.Event(1_000, "a worker was lost", OptionalLong.of(40))),
                                1,
                                0,
                                40,
                                40,
                                0)),
                List.of(new TaskView(worker, container, "member", 2)),
                Optional.empty());
    }

    private List<LossPoint> losses() {
        return LongStream.rangeClosed(1, steps)
                .mapToObj(step -> new LossPoint(step, 1 / (1 + 0.1 * step)))
                .toList();
    }

    private static ResizeRecord resize(int before, int after) {
        return new ResizeRecord(
                1_800_000_000_000L + 10_000L * after,
                new Allocation(before, before),
                new Allocation(1, after),
                40,
                before,
                new ResizeRecord.ResizeReason(true, after, false, "grows"));
    }

    private static JobSpec spec() {
        try {
            return JobFile.parse("job.yaml", "{name: watched, engine: java, model: mlp, dataset: digits}", List.of())
                    .spec();
        } catch (InvalidJobFileException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
