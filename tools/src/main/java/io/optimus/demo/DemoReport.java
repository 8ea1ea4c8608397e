package io.optimus.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of the demo: a text for people, and {@code report.json} for programs. */
final class DemoReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ArrayNode jobs = JSON.createArrayNode();
    private final List<String> problems = new ArrayList<>();

    /**
     * Adds an ended job.
     *
     * @param id application id
     * @param application its last state in YARN
     * @param output folder in which the ApplicationMaster wrote {@code result.json}
     * @param speeds the speeds on the sizes that it ran on; null if the scheduler did not show the job
     * @param predictions its predicted remaining times against what came, see {@link Predictions}
     */
    void add(
            String id, DemoJob job, JsonNode application, Path output, @Nullable JsonNode speeds, ArrayNode predictions)
            throws IOException {
        Path file = output.resolve("result.json");
        String state = application.path("finalStatus").asText();
        if (!state.equals("SUCCEEDED") || !Files.exists(file)) {
            problems.add(id + " ended " + state + ": "
                    + application.path("diagnostics").asText());
            return;
        }
        ObjectNode result = (ObjectNode) JSON.readTree(file.toFile());
        result.put("id", id);
        if (speeds != null) {
            result.set("speeds", speeds);
        }
        result.set("predictions", predictions);
        jobs.add(result);
        check(result, job.isResized());
    }

    void problem(String sentence) {
        problems.add(sentence);
    }

    /** Returns the problems; empty if the demo succeeded. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    void write(Path file, long rounds, double wallSeconds) throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.set("jobs", jobs);
        root.put("rounds", rounds);
        root.put("wallSeconds", wallSeconds);
        root.set("problems", JSON.valueToTree(problems));
        Files.createDirectories(file.toAbsolutePath().getParent());
        JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
    }

    void print(PrintStream out) {
        for (JsonNode job : jobs) {
            out.printf(
                    Locale.ROOT,
                    "%n%s (%s, %s, %s): %s after %.0f s, loss %.4f, held-out accuracy %s, %d surviving tasks restarted%n",
                    job.path("name").asText(),
                    job.path("mode").asText(),
                    job.path("paced").asBoolean() ? "paced" : "real speed",
                    job.path("id").asText(),
                    job.path("converged").asBoolean() ? "converged" : "did not converge",
                    job.path("completionSeconds").asDouble(),
                    job.path("finalLoss").asDouble(),
                    accuracy(job),
                    job.path("survivingTasksRestarted").asInt());
            for (JsonNode resize : job.path("resizes")) {
                out.printf(
                        Locale.ROOT,
                        "  %d+%d → %d+%d ps+workers, paused %4d ms%s: %s%n",
                        resize.path("fromPs").asInt(),
                        resize.path("fromWorkers").asInt(),
                        resize.path("toPs").asInt(),
                        resize.path("toWorkers").asInt(),
                        resize.path("pauseMillis").asLong(),
                        resize.path("exploring").asBoolean() ? ", exploring" : "",
                        resize.path("reason").asText());
            }
            for (JsonNode each : job.path("predictions")) {
                JsonNode predicted = each.path("predictedRemainingSeconds");
                out.printf(
                        Locale.ROOT,
                        "  after %.0f %% of its life: predicted to end in %s, ended in %.0f s%n",
                        100 * each.path("fraction").asDouble(),
                        predicted.isNumber() ? String.format(Locale.ROOT, "%.0f s", predicted.asDouble()) : "–",
                        each.path("actualRemainingSeconds").asDouble());
            }
            for (JsonNode speed : job.path("speeds")) {
                out.printf(
                        Locale.ROOT,
                        "  measured on %d+%d, nodes %d: %.1f steps/s%n",
                        speed.path("parameterServers").asInt(),
                        speed.path("workers").asInt(),
                        speed.path("nodes").asInt(),
                        speed.path("stepsPerSecond").asDouble());
            }
        }
        problems.forEach(problem -> out.println("PROBLEM: " + problem));
    }

    /** The accuracy that an engine has measured, or that a program has reported. */
    private static String accuracy(JsonNode job) {
        JsonNode measured = job.path("heldOutAccuracy");
        JsonNode accuracy = measured.isNumber() ? measured : job.path("metrics").path("accuracy");
        return accuracy.isNumber() ? String.format(Locale.ROOT, "%.3f", accuracy.asDouble()) : "–";
    }

    private void check(JsonNode job, boolean isResized) {
        String name = job.path("name").asText();
        if (!job.path("converged").asBoolean()) {
            problems.add(name + " did not converge");
        }
        if (job.path("survivingTasksRestarted").asInt() > 0) {
            problems.add(name + " restarted tasks that should have stayed");
        }
        boolean resized = false;
        for (JsonNode resize : job.path("resizes")) {
            resized |= resize.path("fromWorkers").asInt() > 0;
        }
        if (!resized && isResized) {
            problems.add(name + " was never resized while it ran");
        }
    }
}
