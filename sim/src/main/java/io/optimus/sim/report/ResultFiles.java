package io.optimus.sim.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.optimus.sim.engine.JobOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes {@code results.json}, {@code results.csv}, {@code jobs.csv} and {@code report.html}. The same runs give the same
 * bytes, but for {@code decisionMillis} in the first.
 */
public final class ResultFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final double THOUSANDTH = 1000;

    private ResultFiles() {}

    /** Into {@code folder}, which is made where it is not there. */
    public static void write(Path folder, List<String> settings, List<RunResult> results) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve("results.json"),
                JSON.writeValueAsString(results.stream().map(ResultFiles::json).toList()) + "\n");
        Files.writeString(folder.resolve("results.csv"), lines(runs(results)));
        Files.writeString(folder.resolve("jobs.csv"), lines(jobs(results)));
        Files.writeString(folder.resolve("report.html"), HtmlReport.of(settings, results));
    }

    private static String lines(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }

    private static Map<String, Object> json(RunResult result) {
        Map<String, Object> fields = new LinkedHashMap<>(figures(result));
        Map<String, Object> decision = new LinkedHashMap<>();
        decision.put("mean", rounded(result.decisions().meanMillis()));
        decision.put("max", rounded(result.decisions().maxMillis()));
        fields.put("decisionMillis", decision);
        return fields;
    }

    private static Map<String, Object> figures(RunResult result) {
        Statistics of = Statistics.of(result.jobs());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("workload", result.workload());
        fields.put("policy", result.policy());
        fields.put("seed", result.seed());
        fields.put("jobs", of.jobs());
        fields.put("meanJctSeconds", rounded(of.meanJct()));
        fields.put("p50", rounded(of.p50()));
        fields.put("p90", rounded(of.p90()));
        fields.put("p99", rounded(of.p99()));
        fields.put("makespanSeconds", rounded(of.makespan()));
        fields.put("resizesPerJob", rounded(of.resizesPerJob()));
        fields.put("rounds", result.decisions().rounds());
        fields.put("events", result.events());
        return fields;
    }

    private static List<String> runs(List<RunResult> results) {
        List<String> lines = new ArrayList<>();
        for (RunResult result : results) {
            Map<String, Object> figures = figures(result);
            if (lines.isEmpty()) {
                lines.add(String.join(",", figures.keySet()));
            }
            lines.add(String.join(
                    ",", figures.values().stream().map(ResultFiles::field).toList()));
        }
        return lines;
    }

    private static List<String> jobs(List<RunResult> results) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "workload,policy,seed,job,model,arrivalSeconds,startSeconds,endSeconds,jctSeconds,queueSeconds,resizes,"
                        + "pausedSeconds,gpuSeconds,largestPs,largestWorkers");
        for (RunResult result : results) {
            for (JobOutcome job : result.jobs()) {
                List<Object> fields = List.of(
                        result.workload(),
                        result.policy(),
                        result.seed(),
                        job.id(),
                        job.model(),
                        rounded(job.arrivalSeconds()),
                        rounded(job.startSeconds()),
                        rounded(job.endSeconds()),
                        rounded(job.jctSeconds()),
                        rounded(job.queueSeconds()),
                        job.resizes(),
                        rounded(job.pausedSeconds()),
                        rounded(job.gpuSeconds()),
                        job.largest().parameterServers(),
                        job.largest().workers());
                lines.add(
                        String.join(",", fields.stream().map(ResultFiles::field).toList()));
            }
        }
        return lines;
    }

    /** As CSV wants it: quoted where a comma or a quote is in it. */
    private static String field(Object value) {
        String text = value instanceof Double number ? String.format(Locale.ROOT, "%.3f", number) : value.toString();
        return text.contains(",") || text.contains("\"") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static double rounded(double value) {
        return Math.rint(value * THOUSANDTH) / THOUSANDTH;
    }
}
