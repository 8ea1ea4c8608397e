package io.optimus.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tests the pages in Chromium on a cluster of {@code scripts/local-cluster}: all daemons and tasks are processes of their own. */
public final class RunningClusterTest {
    private static final Path ROOT = Path.of(System.getProperty("optimus.root.dir"));
    private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final long POLL_MILLIS = 200;

    @Rule
    public final Timeout timeout = new Timeout(8, TimeUnit.MINUTES);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Browser browser;
    private Path runDir;
    private String address = "";

    @Before
    public void start() throws Exception {
        assumeTrue(
                "SKIPPED, tools/target/hadoop/lib is not there: build all modules first",
                Files.isDirectory(ROOT.resolve("tools/target/hadoop/lib")));
        browser = new Browser(folder.newFolder("profile").toPath());
        runDir = folder.getRoot().toPath().resolve("cluster");
        run(
                "local-cluster",
                "start",
                "--nodes",
                "1",
                "--gpus-per-node",
                "4",
                "--round-interval",
                "1",
                "--run-dir",
                runDir.toString());
        address = "http://localhost:"
                + Files.readString(runDir.resolve("web-port")).strip();
    }

    /** No script fails, and nothing is asked of another host. */
    @After
    public void stop() throws Exception {
        if (browser == null) {
            return;
        }
        List<String> complaints = browser.complaints();
        List<String> addresses = browser.addresses();
        browser.close();
        run("local-cluster", "stop", "--run-dir", runDir.toString());
        assertThat(complaints).isEmpty();
        assertThat(addresses)
                .isNotEmpty()
                .allMatch(asked -> asked.startsWith("data:") || asked.startsWith(address + "/"));
    }

    @Test
    public void aGrowingJobIsShownAsRestTellsIt() throws Exception {
        String first = submit("first", 3, 3);
        await("the first job trains", () -> workers(first) == 3);
        String second = submit("second", 1, 4);
        await("the second job trains beside it", () -> workers(second) == 1 && step(second) > 30);
        browser.open(address + "/cluster/optimus");
        browser.script("window.kept = 'the same page'");
        String bar = "#row-" + second + " td[title] svg";
        String curve = "#row-" + second + " .spark";
        String barBefore = browser.attribute(bar, "aria-label");
        String curveBefore = browser.attribute(curve, "points");

        optimus("kill", first);
        await("the second job grows", () -> workers(second) == 4);

        browser.await(
                "its bar grows", () -> !browser.attribute(bar, "aria-label").equals(barBefore));
        browser.await(
                "its curve goes on", () -> !browser.attribute(curve, "points").equals(curveBefore));
        assertThat(browser.script("return window.kept")).isEqualTo("the same page");
        browser.await("the row is as REST tells", () -> isAsInRest(second));
        browser.picture("running-cluster");
        assertThat(browser.seriousFaults()).as("scheduler").isEmpty();

        browser.open(address + "/cluster/optimus/job/" + second);
        browser.await("charts", () -> browser.all(".plot canvas").size() == 3);
        job(second).get("placement").fieldNames().forEachRemaining(node -> assertThat(browser.text("#nodes"))
                .contains(node));
        browser.await(
                "the resizes are as REST tells",
                () -> browser.rows("#resizes").size()
                        == job(second).get("resizes").size());
        browser.picture("running-job");
        assertThat(browser.seriousFaults()).as("job").isEmpty();
        optimus("kill", second);
    }

    /** Jobs train and rounds run between the two questions. */
    private boolean isAsInRest(String id) {
        JsonNode json = job(id);
        String row = browser.text("#row-" + id);
        return Stream.of("name", "queue", "user", "state")
                        .allMatch(field -> row.contains(json.get(field).asText()))
                && row.contains(String.format("%,d", json.get("step").asLong()))
                && row.contains(String.format("%.4g", json.get("loss").asDouble()))
                && browser.attribute("#row-" + id + " td[title]", "title")
                        .equals(json.get("reason").asText());
    }

    private int workers(String id) {
        return job(id).at("/allocation/workers").asInt();
    }

    private long step(String id) {
        return job(id).path("step").asLong();
    }

    /** What REST tells of a job; an empty object before it has registered. */
    private JsonNode job(String id) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/ws/v1/optimus/jobs/" + id))
                .build();
        try {
            return new ObjectMapper()
                    .readTree(HTTP.send(request, BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as(what).isNegative();
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Submits a job of five steps a second that does not end; returns its id. */
    private String submit(String name, int fewest, int most) throws Exception {
        Path file = Files.writeString(
                folder.newFile().toPath(),
                """
                name: %s
                engine: emulated
                model: mlp
                dataset: digits
                globalBatch: 64
                stop: {maxEpochs: 100000}
                emulated: {wraps: java, speed: {secondsPerSample: 0.01, secondsFixed: 0.02}}
                roles:
                  worker: {min: %d, max: %d, memoryMb: 300, gpus: 1}
                  ps: {min: 1, max: 1, memoryMb: 300}
                """
                        .formatted(name, fewest, most));
        Matcher id = APPLICATION.matcher(optimus("submit", file.toString()));
        assertThat(id.find()).as("submitted").isTrue();
        return id.group();
    }

    private String optimus(String... words) throws Exception {
        return run(
                "optimus",
                Stream.concat(Stream.of("--run-dir", runDir.toString()), Stream.of(words))
                        .toArray(String[]::new));
    }

    /** Runs one of the scripts; returns what it printed. */
    private String run(String script, String... words) throws Exception {
        Path printed = folder.newFile().toPath();
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        ROOT.resolve("scripts").resolve(script).toString()),
                                Stream.of(words))
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        assertThat(process.waitFor())
                .as("%s %s: %s", script, List.of(words), Files.readString(printed))
                .isZero();
        return Files.readString(printed);
    }
}
