package io.optimus.yarn.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tests the links in the pages that a real ResourceManager writes. */
public final class LinkFilterTest {
    private static final String LINKS = "<ul><li><a href=\"/cluster/optimus\">Training (Optimus)</a></li></ul>";

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
    public void everyPageOfYarnLinksToThePageOfTheSchedulerOnce() throws Exception {
        PageCluster started = start(Map.of());

        for (String page : new String[] {
            "/cluster",
            "/cluster/cluster",
            "/cluster/nodes",
            "/cluster/nodelabels",
            "/cluster/apps",
            "/cluster/apps/RUNNING",
            "/cluster/scheduler"
        }) {
            HttpResponse<String> answer = started.get(page);
            assertThat(answer.statusCode()).as(page).isEqualTo(200);
            assertThat(answer.headers().firstValue("X-Frame-Options")).as(page).contains("SAMEORIGIN");
            assertThat(answer.body())
                    .as(page)
                    .contains(InsertingWriter.NAVIGATION + LINKS)
                    .endsWith("</html>\n")
                    .satisfies(text ->
                            assertThat(text.split("/cluster/optimus\"", -1)).hasSize(2));
        }
    }

    @Test
    public void thePageOfATrainingApplicationLinksToItsJob() throws Exception {
        PageCluster started = start(Map.of());
        ApplicationId job = started.job("job");
        ApplicationId other = started.submit("other");

        assertThat(started.get("/cluster/app/" + job).body())
                .contains("/cluster/optimus/job/" + job)
                .contains("Application Overview");
        assertThat(started.get("/cluster/app/" + other).body()).contains(LINKS).doesNotContain("/cluster/optimus/job/");
        assertThat(started.get("/cluster/app/application_1_99999999999999999999")
                        .body())
                .contains(LINKS)
                .doesNotContain("/cluster/optimus/job/");
    }

    @Test
    public void changesNothingButPagesOfYarn() throws Exception {
        PageCluster started = start(Map.of());

        for (String other : new String[] {
            "/conf",
            "/jmx?qry=Hadoop:service=none",
            "/ws/v1/cluster/info",
            "/stacks",
            "/static/yarn.css",
            "/ws/v1/cluster/scheduler"
        }) {
            HttpResponse<String> answer = started.get(other);
            assertThat(answer.statusCode()).as(other).isEqualTo(200);
            assertThat(answer.body()).as(other).doesNotContain("/cluster/optimus\"");
        }
        HttpResponse<String> compressed = started.get("/ws/v1/cluster/info", "Accept-Encoding", "gzip");
        assertThat(compressed.statusCode()).isEqualTo(200);
        assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(started.get("/cluster/no-such-page").statusCode()).isEqualTo(404);
        assertThat(started.get("/cluster/app/application_1_0001").body()).contains("</html>");
    }

    @Test
    public void pagesStayAsTheyAreWithoutLinks() throws Exception {
        PageCluster started = start(Map.of("yarn.scheduler.optimus.page-links", "none"));

        assertThat(started.get("/cluster/scheduler").body())
                .contains(InsertingWriter.NAVIGATION)
                .doesNotContain("/cluster/optimus");
    }

    @Test
    public void pagesStayAsTheyAreWhereOursAreNotServed() throws Exception {
        PageCluster started =
                start(Map.of("yarn.http.rmwebapp.external.classes", "io.optimus.yarn.web.OptimusResource"));

        assertThat(started.get("/cluster/scheduler").body()).doesNotContain("/cluster/optimus");
    }
}
