package io.optimus.yarn.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.yarn.jobs.CheckedLife;
import io.optimus.yarn.jobs.CheckedLife.CheckedPrediction;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.jobs.Prediction;
import io.optimus.yarn.operator.Order;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tests the pages as they come from a real ResourceManager, without a browser. */
public final class SchedulerPagesTest {
    private static final String HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";

    @Rule
    public final Timeout timeout = new Timeout(90, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private @Nullable PageCluster cluster;

    @After
    public void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private PageCluster start(Map<String, String> more) {
        PageCluster started = new PageCluster(folder.getRoot().toPath(), more);
        cluster = started;
        return started;
    }

    @Test
    public void showsClusterJobsAndRoundsWithoutAScript() throws Exception {
        PageCluster started = start(Map.of());
        ApplicationId id = started.job(HOSTILE);
        started.runs(id, Jobs.size(1, 2), 400);

        HttpResponse<String> page = started.get("/cluster/optimus");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElse("")).isEqualTo("text/html;charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self';");
        assertThat(page.headers().firstValue("X-Frame-Options")).contains("SAMEORIGIN");
        assertThat(page.body())
                .contains("/cluster/optimus/job/" + id, "root.default", "1 ps + 2 workers", "class=\"spark\"")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&lt;img")
                .doesNotContain("<script>alert", "<img src=x", "advice only");
    }

    @Test
    public void showsAJobWithItsCurveSpeedAndDecisions() throws Exception {
        PageCluster started = start(Map.of());
        ApplicationId id = started.job(HOSTILE);
        for (int workers = 1; workers <= 4; workers++) {
            started.runs(id, Jobs.size(1, workers), 200L * workers);
            started.overview()
                    .state()
                    .registry()
                    .planned(id, workers, Jobs.size(1, workers), workers == 2, "because of " + HOSTILE);
        }

        HttpResponse<String> page = started.get("/cluster/optimus/job/" + id);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains(
                        "id=\"loss-chart\"", "id=\"speed-chart\"", "id=\"allocation-chart\"", "gpu01.example.com:8041")
                .contains("because of &lt;script&gt;", "(exploring)", "/cluster/app/" + id, "/proxy/" + id)
                .doesNotContain("<script>alert", "<img src=x");
    }

    @Test
    public void showsAJobThatHasEnded() throws Exception {
        PageCluster started = start(Map.of());
        ApplicationId id = started.job(HOSTILE);
        started.runs(id, Jobs.size(1, 2), 400);
        var state = started.overview().state();
        Prediction predicted = new Prediction(OptionalDouble.of(90), OptionalDouble.empty(), OptionalDouble.of(2));
        state.past()
                .finished(
                        state.registry().view(id).orElseThrow(),
                        true,
                        Optional.of(
                                new CheckedLife(id, 120, 360, List.of(new CheckedPrediction(0.5, predicted, 60, 180)))),
                        state.registry().end(id));
        state.registry().remove(id);

        HttpResponse<String> page = started.get("/cluster/optimus/job/" + id);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains("Has ended: ", "succeeded", "id=\"loss-chart\"", "/cluster/app/" + id, "50 %", "90 s", "60 s")
                .doesNotContain("<script>alert", "<img src=x", "Its ApplicationMaster did not tell");
        assertThat(started.get("/cluster/optimus").body()).contains("id=\"ended-" + id + "\"");
    }

    @Test
    public void explainsAJobInTheWordsOfRest() throws Exception {
        PageCluster started = start(Map.of());
        ApplicationId id = started.job("explained");
        JsonNode text = new ObjectMapper()
                .readTree(started.get("/ws/v1/optimus/jobs/" + id + "/explain").body())
                .path("text");

        String page = started.get("/cluster/optimus/job/" + id).body();

        assertThat(text).hasSizeGreaterThan(3);
        assertThat(text.get(0).asText()).startsWith("Why: ");
        assertThat(page)
                .contains(escaped(text.get(0)
                        .asText()
                        .substring("Why: ".length(), text.get(0).asText().length() - 1)));
        for (int i = 1; i < text.size(); i++) {
            assertThat(page).contains("<li>" + escaped(text.get(i).asText()) + "</li>");
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    @Test
    public void answersAPageThatHasNotChangedWithNothing() throws Exception {
        PageCluster started = start(Map.of("yarn.scheduler.optimus.round-interval", "1h"));
        String tag =
                started.get("/cluster/optimus").headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> same = started.get("/cluster/optimus", "If-None-Match", tag);
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.body()).isEmpty();

        started.job("new");
        assertThat(started.get("/cluster/optimus", "If-None-Match", tag).statusCode())
                .isEqualTo(200);
    }

    @Test
    public void servesItsFilesAndNothingElse() throws Exception {
        PageCluster started = start(Map.of());

        for (String file : new String[] {"page.js", "page.css", "uPlot.iife.min.js", "uPlot.min.css"}) {
            assertThat(started.get("/cluster/optimus/static/" + file).statusCode())
                    .as(file)
                    .isEqualTo(200);
        }
        for (String other : new String[] {"SchedulerPages.class", "..%2Fpackage-info.class", "uPlot.LICENSE", ""}) {
            assertThat(started.get("/cluster/optimus/static/" + other).statusCode())
                    .as(other)
                    .isEqualTo(404);
        }
        assertThat(started.get("/cluster/optimus/job/application_1_0001").statusCode())
                .isEqualTo(404);
        HttpResponse<String> unknown = started.get("/cluster/optimus/job/%3Cscript%3Ealert(1)%3C%2Fscript%3E");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).doesNotContain("<script>alert");
    }

    @Test
    public void showsOnlyJobsThatTheCallerMayView() throws Exception {
        PageCluster started = start(Map.of(
                YarnConfiguration.YARN_ACL_ENABLE,
                "true",
                YarnConfiguration.YARN_ADMIN_ACL,
                "root-of-all",
                "yarn.scheduler.capacity.root.acl_administer_queue",
                " ",
                "yarn.scheduler.capacity.root.default.acl_administer_queue",
                " "));
        ApplicationId id = started.job("secret");

        assertThat(started.get("/cluster/optimus?user.name=stranger").body()).doesNotContain("secret", id.toString());
        HttpResponse<String> refused = started.get("/cluster/optimus/job/" + id + "?user.name=stranger");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).doesNotContain("secret");
        assertThat(started.get("/cluster/optimus?user.name=root-of-all").body()).contains("secret");
        assertThat(started.get("/cluster/optimus/job/" + id + "?user.name=root-of-all")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    public void saysInModeAdviseThatAPlanIsOnlyAdvice() throws Exception {
        PageCluster started = start(Map.of("yarn.scheduler.optimus.mode", "advise"));
        ApplicationId id = started.job("job");

        assertThat(started.get("/cluster/optimus").body()).contains("plans are advice only", "(advice only)");
        assertThat(started.get("/cluster/optimus/job/" + id).body())
                .contains("plans are advice only", "Decision (advice only)", "Planned (advice only)");
    }

    @Test
    public void showsTheOrdersOfAdministrators() throws Exception {
        PageCluster started = start(Map.of());
        Order order = new Order("operator<b>", 1_700_000_000_000L);
        started.overview().state().orders().pause(order);
        started.overview().state().orders().drainNode("gpu07:8041", order);
        started.overview().state().orders().drainQueue("root.research", order);

        assertThat(started.get("/cluster/optimus").body())
                .contains(
                        "All rounds are paused by operator&lt;b&gt; since",
                        "2023-11-14 22:13:20 UTC",
                        "Node gpu07:8041 is drained of training",
                        "Queue root.research is drained of training");
    }

    @Test
    public void listsJobsInPagesAndFindsThem() throws Exception {
        PageCluster started = start(Map.of());
        for (int i = 1; i <= JobList.ROWS + 1; i++) {
            started.job("job-" + i);
        }

        String first = started.get("/cluster/optimus").body();
        assertThat(first)
                .contains("page 1 of 2", ">job-51<", ">job-2<", "page=2")
                .doesNotContain(">job-1<");
        assertThat(started.get("/cluster/optimus?page=2").body())
                .contains(">job-1<")
                .doesNotContain(">job-2<");
        assertThat(started.get("/cluster/optimus?page=99999999").body()).contains("page 1 of 2");
        assertThat(started.get("/cluster/optimus?search=JOB-51").body())
                .contains(">job-51<", "1 job<")
                .doesNotContain(">job-50<");
        assertThat(started.get("/cluster/optimus?state=running").body()).contains("0 jobs");
        assertThat(started.get("/cluster/optimus?search=%22%3E%3Cscript%3Ealert(3)")
                        .body())
                .doesNotContain("<script>alert");
    }
}
