package io.optimus.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The most that benchmarks may take, as multiples of the calibration loop of the same run.
 *
 * @param limits in order of the file
 */
record Thresholds(List<Limit> limits) {
    private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");
    private static final String HEADER = "benchmark,policy,jobs,nodes,timesCalibration";
    private static final int COLUMNS = 5;

    /** Of one benchmark at one scale; the first four as in {@link Measured}. */
    record Limit(String benchmark, String policy, int jobs, int nodes, double timesCalibration) {
        boolean isOf(Measured measured) {
            return benchmark.equals(measured.benchmark())
                    && policy.equals(measured.policy())
                    && jobs == measured.jobs()
                    && nodes == measured.nodes();
        }
    }

    /**
     * Reads a CSV file with a header; lines that begin with # are comments.
     *
     * @throws IllegalArgumentException naming every line that is wrong
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
        double times = Double.parseDouble(cells.get(4));
        if (!(times > 0 && times < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("timesCalibration is " + times + ". Remedy: a number above 0");
        }
        return new Limit(
                cells.get(0), cells.get(1), Integer.parseInt(cells.get(2)), Integer.parseInt(cells.get(3)), times);
    }

    /** What took longer than it may, in words; benchmarks without a threshold may take what they want. */
    List<String> exceededBy(List<Measured> all, double calibrationMillis) {
        List<String> exceeded = new ArrayList<>();
        for (Measured measured : all) {
            double times = measured.millis() / calibrationMillis;
            for (Limit limit : limits) {
                if (limit.isOf(measured) && times > limit.timesCalibration()) {
                    exceeded.add(String.format(
                            Locale.ROOT,
                            "%s %s, %d jobs, %d nodes: %.3g times the calibration loop, at most %.3g allowed",
                            limit.benchmark(),
                            limit.policy(),
                            limit.jobs(),
                            limit.nodes(),
                            times,
                            limit.timesCalibration()));
                }
            }
        }
        return exceeded;
    }
}
