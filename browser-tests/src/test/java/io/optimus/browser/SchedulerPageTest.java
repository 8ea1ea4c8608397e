package io.optimus.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.yarn.page.FollowingJob;
import io.optimus.yarn.page.PageCluster;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;
import org.openqa.selenium.Keys;

/** Tests the pages in Chromium, on a ResourceManager whose jobs train and follow the plan. */
public final class SchedulerPageTest {
    private static final String HOSTILE =
            "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)> " + "a-name-that-goes-on-and-on-".repeat(5);

    @Rule
    public final Timeout timeout = new Timeout(5, TimeUnit.MINUTES);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Browser browser;
    private PageCluster cluster;

    @Before
    public void start() throws Exception {
        browser = new Browser(folder.newFolder("profile").toPath());
        cluster = new PageCluster(folder.newFolder("cluster").toPath(), Map.of());
    }

    /** Whatever a test does: no script fails, and nothing is asked of another host. */
    @After
    public void stop() {
        if (browser == null || cluster == null) {
            return;
        }
        List<String> complaints = browser.complaints();
        List<String> addresses = browser.addresses();
        browser.close();
        cluster.close();
        assertThat(complaints).isEmpty();
        assertThat(addresses)
                .isNotEmpty()
                .allMatch(address -> address.startsWith("data:")
                        || URI.create(address.replaceAll("[?#].*", ""))
                                .getAuthority()
                                .equals(URI.create(cluster.address()).getAuthority()));
    }

    private void openCluster() {
        browser.open(cluster.address() + "/cluster/optimus");
    }

    private void openJob(FollowingJob job) {
        browser.open(cluster.address() + "/cluster/optimus/job/" + job.id());
    }

    private JsonNode rest(String path) throws Exception {
        return new ObjectMapper().readTree(cluster.get("/ws/v1/optimus" + path).body());
    }

    @Test
    public void pageEqualsRest() throws Exception {
        cluster.nodes(4, 4);
        FollowingJob first = cluster.train("first");
        FollowingJob second = cluster.train("second");
        cluster.awaitSteps(first, 300);
        cluster.awaitSteps(second, 200);
        cluster.pauseJobs();
        openCluster();

        for (FollowingJob job : List.of(first, second)) {
            JsonNode json = rest("/jobs/" + job.id());
            String row = browser.text("#row-" + job.id());
            assertThat(row)
                    .contains(
                            json.get("name").asText(),
                            json.get("queue").asText(),
                            json.get("user").asText(),
                            json.get("state").asText(),
                            String.format("%,d", json.get("step").asLong()),
                            json.at("/allocation/workers").asText() + " worker",
                            String.format("%.4g", json.get("loss").asDouble()));
            // Rounds go on between the two questions, and may predict anew.
            browser.await("the row has the predicted end and the reason that REST has", () -> isAsInRest(job));
        }
        JsonNode round = rest("/plan").at("/rounds/0");
        browser.await("the last round is shown", () -> !browser.all("#round-" + round.get("number"))
                .isEmpty());
        openJob(first);
        JsonNode json = rest("/jobs/" + first.id());
        assertThat(browser.text("#summary")).contains(json.get("reason").asText());
        json.get("placement").fieldNames().forEachRemaining(node -> assertThat(browser.text("#nodes"))
                .contains(node));
        assertThat(browser.rows("#resizes")).hasSize(json.get("resizes").size());
    }

    private boolean isAsInRest(FollowingJob job) {
        JsonNode json;
        try {
            json = rest("/jobs/" + job.id());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        String row = "#row-" + job.id();
        JsonNode remaining = json.get("remainingTime");
        return (remaining.isNull() || browser.text(row).contains(remaining.asText()))
                && browser.attribute(row + " td[title]", "title")
                        .equals(json.get("reason").asText());
    }

    @Test
    public void aGrowingJobChangesItsBarAndItsCurveWithoutAReload() throws Exception {
        cluster.nodes(1, 2);
        FollowingJob job = cluster.train("grows");
        cluster.awaitSteps(job, 50);
        openCluster();
        browser.script("window.kept = 'the same page'");
        String bar = "#row-" + job.id() + " td[title] svg";
        String curve = "#row-" + job.id() + " .spark";
        String barBefore = browser.attribute(bar, "aria-label");
        String curveBefore = browser.attribute(curve, "points");
        browser.find("#link-" + job.id()).sendKeys("");
        browser.script("document.getElementById(arguments[0]).focus()", "link-" + job.id());

        cluster.nodes(3, 4);

        browser.await(
                "the bar grows", () -> !browser.attribute(bar, "aria-label").equals(barBefore));
        browser.await(
                "the curve goes on", () -> !browser.attribute(curve, "points").equals(curveBefore));
        assertThat(browser.script("return window.kept")).isEqualTo("the same page");
        assertThat(browser.focused().getDomAttribute("id"))
                .as("the focus stays")
                .isEqualTo("link-" + job.id());

        openJob(job);
        browser.script("window.kept = 'the same page'");
        String data = browser.attribute("#loss-chart", "data-chart");
        browser.await(
                "the curve is drawn", () -> !browser.all("#loss-chart canvas").isEmpty());
        browser.await("the chart goes on", () -> !browser.attribute("#loss-chart", "data-chart")
                .equals(data));
        assertThat(browser.script("return window.kept")).isEqualTo("the same page");
        assertThat(browser.all("#loss-chart canvas")).hasSize(1);
    }

    @Test
    public void picturesOfAllPagesHaveNoSeriousFault() throws Exception {
        cluster.nodes(4, 4);
        cluster.train("resnet-50 imagenet");
        FollowingJob hostile = cluster.train(HOSTILE);
        FollowingJob shown = cluster.train("bert-base");
        cluster.awaitSteps(shown, 600);
        cluster.awaitSteps(hostile, 100);
        cluster.drainNode("gpu07.example.com:8041");
        FollowingJob waiting = cluster.trainOnMissingGpus("waits for a GPU type");
        cluster.awaitReason(waiting);
        FollowingJob ended = cluster.train("word2vec");
        cluster.awaitSteps(ended, 300);
        ended.end();
        for (String scheme : List.of("light", "dark")) {
            browser.colours(scheme);
            openCluster();
            browser.await("jobs", () -> browser.all("#jobs tbody tr").size() == 4);
            browser.picture("scheduler-" + scheme);
            assertThat(browser.seriousFaults()).as("scheduler, " + scheme).isEmpty();
            openJob(shown);
            browser.await("charts", () -> browser.all(".plot canvas").size() == 3);
            browser.script("document.querySelectorAll('details').forEach(each => each.open = true)");
            browser.picture("job-" + scheme);
            assertThat(browser.seriousFaults()).as("job, " + scheme).isEmpty();
            openJob(waiting);
            browser.picture("waiting-" + scheme);
            assertThat(browser.seriousFaults()).as("waiting job, " + scheme).isEmpty();
            openJob(ended);
            browser.await("charts", () -> browser.all(".plot canvas").size() == 1);
            browser.picture("ended-" + scheme);
            assertThat(browser.seriousFaults()).as("ended job, " + scheme).isEmpty();
        }
        browser.colours("light");
        openJob(hostile);
        browser.picture("hostile-name");
        assertThat(browser.title()).startsWith(HOSTILE.strip().substring(0, 60));
        browser.size(420, 900);
        openCluster();
        browser.picture("scheduler-narrow");
        assertThat(browser.script("return document.documentElement.scrollWidth <= window.innerWidth"))
                .as("only tables scroll sideways")
                .isEqualTo(true);
        assertThat(browser.seriousFaults()).as("narrow").isEmpty();
        openJob(shown);
        browser.picture("job-narrow");
    }

    /** Those in docs/pictures. */
    @Test
    public void picturesOfTheDocumentation() throws Exception {
        browser.size(1360, 900);
        cluster.nodes(3, 4);
        FollowingJob ended = cluster.train("word2vec enwiki");
        cluster.awaitSteps(ended, 900);
        ended.end();
        FollowingJob first = cluster.train("resnet-50 imagenet");
        FollowingJob second = cluster.train("bert-base wiki");
        FollowingJob shown = cluster.train("seq2seq wmt");
        cluster.awaitSteps(shown, 900);
        cluster.awaitSteps(second, 600);
        cluster.awaitSteps(first, 600);
        FollowingJob waiting = cluster.train(
                PageCluster.registration("deepspeech2 librispeech", 40, 11).build());
        cluster.awaitReason(waiting);
        openCluster();
        browser.await("jobs", () -> browser.all("#jobs tbody tr").size() == 4);
        browser.picture("scheduler-page", 900);
        openJob(shown);
        browser.await("charts", () -> browser.all(".plot canvas").size() == 3);
        browser.picture("job-page", 1400);
        openJob(waiting);
        browser.picture("waiting-job", 900);
    }

    @Test
    public void aThousandJobsAreShownInPages() throws Exception {
        for (int i = 1; i <= 1000; i++) {
            cluster.job("job " + i);
        }
        openCluster();
        browser.script("window.slow = []; new PerformanceObserver(list => list.getEntries().forEach("
                + "each => window.slow.push(each.duration))).observe({type: 'longtask'})");
        String before = browser.text("#pages");
        cluster.job("one more");
        browser.await("the list goes on", () -> !browser.text("#pages").equals(before));

        assertThat(browser.text("#pages")).contains("1,001 jobs, page 1 of 21");
        assertThat(browser.all("#jobs tbody tr")).hasSize(50);
        System.out.println(
                "1,001 jobs: tasks of the browser over 50 ms, in ms: " + browser.script("return window.slow"));
        System.out.println("1,001 jobs: milliseconds to the first page: "
                + browser.script("return performance.getEntriesByType('navigation')[0].duration"));
        browser.picture("thousand-jobs");
        browser.find("#search").sendKeys("job 777", Keys.ENTER);
        browser.await("job 777 is found", () -> browser.text("#pages").startsWith("1 job"));
        assertThat(browser.all("#jobs tbody tr")).hasSize(1);
    }

    @Test
    public void keysReachEverythingAndThePageIsWholeWithoutAScript() throws Exception {
        cluster.nodes(1, 4);
        FollowingJob job = cluster.train("by keys");
        cluster.awaitSteps(job, 100);
        // A row that changes is a new element.
        cluster.pauseJobs();
        openCluster();
        browser.find("body").sendKeys(Keys.TAB);
        assertThat(browser.focused().getText()).isEqualTo("Skip to the content");
        browser.focused().sendKeys(Keys.ENTER);
        String link = "link-" + job.id();
        for (int i = 0; i < 10 && !link.equals(browser.focused().getDomAttribute("id")); i++) {
            browser.focused().sendKeys(Keys.TAB);
        }
        assertThat(browser.focused().getDomAttribute("id")).isEqualTo(link);
        browser.focused().sendKeys(Keys.ENTER);
        browser.await("the job's page", () -> browser.title().startsWith("by keys"));

        browser.scripts(false);
        openJob(job);
        assertThat(browser.text("#summary")).contains("Decision");
        assertThat(browser.all("#losses tbody tr")).isNotEmpty();
        assertThat(browser.all("#speeds tbody tr")).isNotEmpty();
        assertThat(browser.all("#decisions tbody tr")).isNotEmpty();
        assertThat(browser.all(".plot canvas")).isEmpty();
        browser.scripts(true);
    }
}
