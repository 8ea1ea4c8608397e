package io.optimus.sim.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.optimus.sim.engine.JobOutcome;
import io.optimus.sim.input.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code results.json}, {@code results.csv}, {@code jobs.csv}, {@code errors.csv} and {@code report.html}. The same runs give the same
 * bytes, except for {@code decisionMillis} in the first.
 */
public final class ResultFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final double THOUSANDTH = 1000;
    private static final List<String> NAMES =
            List.of("results.json", "results.csv", "jobs.csv", "errors.csv", "report.html");

    private ResultFiles() {}

    /**
     * Creates {@code folder} if it does not exist. Call this before a long simulation, so that a wrong folder is found
     * early.
     *
     * @throws InvalidInputException if nothing can be written there
     */
    public static void prepare(Path folder) throws InvalidInputException {
        try {
            Files.createDirectories(folder);
        } catch (IOException failed) {
            throw new InvalidInputException(List.of("--out " + folder + " cannot be created: " + failed));
        }
        if (!Files.isWritable(folder)) {
            throw new InvalidInputException(List.of("--out " + folder + " cannot be written to"));
        }
    }

    /** Writes all files into {@code folder}, which exists. If one cannot be written, writes none. */
    public static void write(Path folder, List<String> settings, List<RunResult> results) throws IOException {
        try {
            Files.writeString(
                    part(folder, "results.json"),
                    JSON.writeValueAsString(
                                    results.stream().map(ResultFiles::json).toList()) + "\n");
            Files.writeString(part(folder, "results.csv"), lines(runs(results)));
            Files.writeString(part(folder, "jobs.csv"), lines(jobs(results)));
            Files.writeString(part(folder, "errors.csv"), lines(errors(results)));
            Files.writeString(part(folder, "report.html"), HtmlReport.of(settings, results));
            for (String name : NAMES) {
                Files.move(part(folder, name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            for (String name : NAMES) {
                Files.deleteIfExists(part(folder, name));
            }
        }
    }

    /** Returns the temporary path of the file that is renamed to {@code name} when all files are complete. */
    private static Path part(Path folder, String name) {
        return folder.resolve("." + name + ".part");
    }

    private static String lines(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }

    private static Map<String, @Nullable Object> json(RunResult result) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(figures(result));
        Map<String, @Nullable Object> decision = new LinkedHashMap<>();
        decision.put("mean", number(result.decisions().meanMillis()));
        decision.put("max", number(result.decisions().maxMillis()));
        fields.put("decisionMillis", decision);
        return fields;
    }

    private static Map<String, @Nullable Object> figures(RunResult result) {
        ResultLine line = ResultLine.of(result);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("workload", result.run().workload());
        fields.put("policy", result.run().policy());
        fields.put("seed", result.run().seed());
        fields.put("jobs", result.statistics().jobs());
        ResultColumn.inFiles().forEach(column -> fields.put(column.key(), number(column.of(line))));
        fields.put("rounds", result.decisions().rounds());
        fields.put("events", result.events());
        return fields;
    }

    private static List<String> runs(List<RunResult> results) {
        List<String> lines = new ArrayList<>();
        for (RunResult result : results) {
            Map<String, @Nullable Object> figures = figures(result);
            if (lines.isEmpty()) {
                lines.add(String.join(",", figures.keySet()));
            }
            lines.add(line(figures.values().toArray()));
        }
        return lines;
    }

    private static List<String> jobs(List<RunResult> results) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "workload,policy,seed,job,model,arrivalSeconds,startSeconds,endSeconds,jctSeconds,queueSeconds,"
                        + "longestWaitSeconds,resizes,pausedSeconds,gpuSeconds,largestPs,largestWorkers,equalShareSeconds,fairness");
        for (RunResult result : results) {
            for (JobOutcome job : result.jobs()) {
                lines.add(line(
                        result.run().workload(),
                        result.run().policy(),
                        result.run().seed(),
                        job.id(),
                        job.model(),
                        job.times().arrivalSeconds(),
                        job.times().startSeconds(),
                        job.times().endSeconds(),
                        job.jctSeconds(),
                        job.queueSeconds(),
                        job.times().longestWaitSeconds(),
                        job.resizes(),
                        job.times().pausedSeconds(),
                        job.gpuSeconds(),
                        job.largest().parameterServers(),
                        job.largest().workers(),
                        job.equalShareSeconds(),
                        job.fairness()));
            }
        }
        return lines;
    }

    private static List<String> errors(List<RunResult> results) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "workload,policy,seed,model,fromPercent,toPercent,speeds,meanSpeedError,worstSpeedError,ends,meanEndError,"
                        + "worstEndError");
        for (RunResult result : results) {
            result.errors().byModel().forEach((model, bins) -> {
                for (int bin = 0; bin < bins.size(); bin++) {
                    PredictionErrors.Errors speed = bins.get(bin).speed();
                    PredictionErrors.Errors end = bins.get(bin).end();
                    lines.add(line(
                            result.run().workload(),
                            result.run().policy(),
                            result.run().seed(),
                            model,
                            100 * bin / bins.size(),
                            100 * (bin + 1) / bins.size(),
                            speed.count(),
                            speed.mean(),
                            speed.worst(),
                            end.count(),
                            end.mean(),
                            end.worst()));
                }
            });
        }
        return lines;
    }

    /** Returns a line of CSV, with numbers to the thousandth and empty fields for NaN. */
    private static String line(@Nullable Object... fields) {
        return CSVFormat.DEFAULT.format(
                Arrays.stream(fields).map(ResultFiles::rounded).toArray());
    }

    private static @Nullable Object rounded(@Nullable Object field) {
        return field instanceof Double number
                ? number.isNaN() ? null : String.format(Locale.ROOT, "%.3f", number)
                : field;
    }

    /** Rounds to the thousandth; returns null for NaN, which JSON does not have. */
    private static @Nullable Object number(double value) {
        if (Double.isNaN(value)) {
            return null;
        }
        return Math.rint(value * THOUSANDTH) / THOUSANDTH;
    }
}
