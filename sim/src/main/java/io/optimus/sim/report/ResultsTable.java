package io.optimus.sim.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One line for each workload and policy, means over the seeds, as a table for the terminal. */
public final class ResultsTable {
    private static final String[] HEADER = {
        "workload",
        "policy",
        "seeds",
        "jobs",
        "mean JCT s",
        "of first",
        "p50 s",
        "p90 s",
        "p99 s",
        "makespan s",
        "resizes/job",
        "decision ms",
        "max ms"
    };
    private static final int TEXT_COLUMNS = 2;

    private ResultsTable() {}

    /**
     * A line of the table.
     *
     * @param workload its name
     * @param policy its name
     * @param seeds how many runs the means are of
     * @param mean over the seeds
     * @param ofFirst mean completion time over that of the first policy on the same workload
     * @param decisionMillis mean over rounds and seeds
     * @param longestMillis longest round
     */
    record Line(
            String workload,
            String policy,
            int seeds,
            Statistics mean,
            double ofFirst,
            double decisionMillis,
            double longestMillis) {}

    static List<Line> lines(List<RunResult> results) {
        Map<List<String>, List<RunResult>> runs = new LinkedHashMap<>();
        for (RunResult result : results) {
            runs.computeIfAbsent(List.of(result.workload(), result.policy()), key -> new ArrayList<>())
                    .add(result);
        }
        Map<String, Double> first = new LinkedHashMap<>();
        List<Line> lines = new ArrayList<>();
        runs.forEach((key, ofSeeds) -> {
            Statistics mean = Statistics.mean(
                    ofSeeds.stream().map(run -> Statistics.of(run.jobs())).toList());
            first.putIfAbsent(key.get(0), mean.meanJct());
            lines.add(new Line(
                    key.get(0),
                    key.get(1),
                    ofSeeds.size(),
                    mean,
                    mean.meanJct() / first.getOrDefault(key.get(0), mean.meanJct()),
                    ofSeeds.stream()
                            .mapToDouble(run -> run.decisions().meanMillis())
                            .average()
                            .orElseThrow(),
                    ofSeeds.stream()
                            .mapToDouble(run -> run.decisions().maxMillis())
                            .max()
                            .orElseThrow()));
        });
        return lines;
    }

    /** The table, its columns aligned, a line each. */
    public static List<String> of(List<RunResult> results) {
        List<String[]> cells = new ArrayList<>();
        cells.add(HEADER);
        for (Line line : lines(results)) {
            Statistics mean = line.mean();
            cells.add(new String[] {
                line.workload(),
                line.policy(),
                Integer.toString(line.seeds()),
                Integer.toString(mean.jobs()),
                whole(mean.meanJct()),
                String.format(Locale.ROOT, "%.2f", line.ofFirst()),
                whole(mean.p50()),
                whole(mean.p90()),
                whole(mean.p99()),
                whole(mean.makespan()),
                String.format(Locale.ROOT, "%.1f", mean.resizesPerJob()),
                String.format(Locale.ROOT, "%.2f", line.decisionMillis()),
                String.format(Locale.ROOT, "%.1f", line.longestMillis())
            });
        }
        return aligned(cells);
    }

    private static String whole(double seconds) {
        return String.format(Locale.ROOT, "%,.0f", seconds);
    }

    private static List<String> aligned(List<String[]> cells) {
        int[] widths = new int[HEADER.length];
        for (String[] row : cells) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (String[] row : cells) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - row[i].length());
                line.append(i == 0 ? "" : "  ").append(i < TEXT_COLUMNS ? row[i] + pad : pad + row[i]);
            }
            lines.add(line.toString());
        }
        return lines;
    }
}
