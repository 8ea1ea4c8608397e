package io.optimus.benchmarks;

import io.optimus.benchmarks.BenchmarkResult.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The longest times that benchmarks may take, as multiples of the calibration loop that ran shortly before.
 *
 * @param limits the thresholds, in order of the file
 */
record Thresholds(List<Limit> limits) {
    private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");
    private static final String HEADER = "benchmark,policy,round,jobs,nodes,timesCalibration";
    private static final int COLUMNS = 6;

    record Limit(Subject subject, double timesCalibration) {}

    /**
     * Reads a CSV file with a header; lines that begin with # are comments.
     *
     * @throws IllegalArgumentException if lines are wrong; the message names all of them
     */
    static Thresholds read(Path file) throws IOException {
        List<Limit> limits = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        List<String> lines = Files.readAllLines(file);
        for (int line = 0; line < lines.size(); line++) {
            String text = lines.get(line).strip();
            if (!text.isEmpty() && !text.startsWith("#") && !text.equals(HEADER)) {
                try {
                    limits.add(limit(text));
                } catch (IllegalArgumentException e) {
                    problems.add(file + ":" + (line + 1) + ": " + e.getMessage());
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        return new Thresholds(List.copyOf(limits));
    }

    private static Limit limit(String text) {
        List<String> cells = List.of(COMMA.split(text, -1));
        if (cells.size() != COLUMNS) {
            throw new IllegalArgumentException(cells.size() + " columns. Remedy: write " + HEADER);
        }
        double times = Double.parseDouble(cells.get(5));
        if (!(times > 0 && times < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("timesCalibration is " + times + ". Remedy: a number above 0");
        }
        Subject subject = new Subject(
                cells.get(0),
                cells.get(1),
                cells.get(2),
                Integer.parseInt(cells.get(3)),
                Integer.parseInt(cells.get(4)));
        return new Limit(subject, times);
    }

    /** The benchmarks that took longer than their thresholds, in words. */
    List<String> exceededBy(List<BenchmarkResult> all) {
        List<String> exceeded = new ArrayList<>();
        for (BenchmarkResult measured : all) {
            for (Limit limit : limits) {
                if (limit.subject().equals(measured.subject())
                        && measured.timesCalibration() > limit.timesCalibration()) {
                    exceeded.add(words(limit, measured.timesCalibration()));
                }
            }
        }
        return exceeded;
    }

    private static String words(Limit limit, double times) {
        Subject subject = limit.subject();
        return String.format(
                Locale.ROOT,
                "%s %s %s, %d jobs, %d nodes: %.3g times the calibration loop, at most %.3g allowed",
                subject.benchmark(),
                subject.policy(),
                subject.round(),
                subject.jobs(),
                subject.nodes(),
                times,
                limit.timesCalibration());
    }
}
