package io.optimus.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class DemoReportTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String START = "{'fromWorkers': 0, 'toPs': 1, 'toWorkers': 1, 'reason': 'starts'}";
    private static final String GROWTH =
            "{'fromPs': 1, 'fromWorkers': 1, 'toPs': 1, 'toWorkers': 2, 'reason': 'grows'}";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final DemoReport report = new DemoReport();
    private final Predictions predictions = new Predictions();

    private static JsonNode json(String text) throws IOException {
        return JSON.readTree(text.replace('\'', '"'));
    }

    private void add(boolean isResized, String status, String result, @Nullable JsonNode speeds) throws IOException {
        Path output = folder.newFolder().toPath();
        Files.writeString(output.resolve("result.json"), result.replace('\'', '"'));
        DemoJob job = new DemoJob(new Submission(Path.of("job.yaml"), List.of()), 0, isResized);
        report.add(
                "application_1_7", job, json("{'finalStatus': '" + status + "'}"), output, speeds, predictions.json());
    }

    @Test
    public void wantsJobsThatLastToBeResized() throws IOException {
        add(false, "SUCCEEDED", "{'name': 'short', 'converged': true, 'resizes': [" + START + "]}", null);
        add(true, "SUCCEEDED", "{'name': 'grown', 'converged': true, 'resizes': [" + START + "," + GROWTH + "]}", null);
        assertThat(report.problems()).isEmpty();

        add(true, "SUCCEEDED", "{'name': 'fixed', 'converged': true, 'resizes': [" + START + "]}", null);
        assertThat(report.problems()).containsExactly("fixed was never resized while it ran");
    }

    @Test
    public void namesJobsThatFailedDidNotConvergeOrRestartedTasks() throws IOException {
        add(false, "FAILED", "{}", null);
        add(false, "SUCCEEDED", "{'name': 'flat', 'converged': false, 'survivingTasksRestarted': 1}", null);

        assertThat(report.problems())
                .containsExactly(
                        "application_1_7 ended FAILED: ",
                        "flat did not converge",
                        "flat restarted tasks that should have stayed");
    }

    @Test
    public void holdsPredictionsAgainstWhatCame() throws IOException {
        predictions.see(2, json("{'state': 'waiting', 'remainingSeconds': null}"));
        for (int second = 10; second <= 50; second++) {
            String remaining = second < 25 ? "null" : String.valueOf(70 - second);
            predictions.see(second, json("{'state': 'running', 'remainingSeconds': " + remaining + "}"));
        }
        predictions.see(51, json("{'state': 'finished', 'remainingSeconds': null}"));
        add(false, "SUCCEEDED", "{'name': 'short', 'converged': true}", null);

        Path file = folder.getRoot().toPath().resolve("report.json");
        report.write(file, 3, 4.5);
        assertThat(JSON.readTree(file.toFile()).path("jobs").path(0).path("predictions"))
                .isEqualTo(
                        json(
                                "[{'fraction': 0.25, 'predictedRemainingSeconds': null, 'actualRemainingSeconds': 30.0},"
                                        + "{'fraction': 0.5, 'predictedRemainingSeconds': 40.0, 'actualRemainingSeconds': 20.0},"
                                        + "{'fraction': 0.75, 'predictedRemainingSeconds': 30.0, 'actualRemainingSeconds': 10.0}]"));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        report.print(new PrintStream(text, true, StandardCharsets.UTF_8));
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains(
                        "after 25 % of its life: predicted to end in –, ended in 30 s",
                        "after 50 % of its life: predicted to end in 40 s, ended in 20 s");
    }

    @Test
    public void showsWhatTheJobsRanAt() throws IOException {
        JsonNode speeds = json("[{'parameterServers': 1, 'workers': 2, 'nodes': 1, 'stepsPerSecond': 1.81}]");
        add(true, "SUCCEEDED", "{'name': 'grown', 'converged': true, 'resizes': [" + GROWTH + "]}", speeds);

        Path file = folder.getRoot().toPath().resolve("report.json");
        report.write(file, 3, 4.5);
        assertThat(JSON.readTree(file.toFile()).path("jobs").path(0).path("speeds"))
                .isEqualTo(speeds);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        report.print(new PrintStream(text, true, StandardCharsets.UTF_8));
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("1+1 → 1+2 ps+workers", "measured on 1+2, nodes 1: 1.8 steps/s");
    }
}
