package io.optimus.sim.report;

import java.util.ArrayList;
import java.util.List;

/** The table for the terminal: a line for each workload and policy, with means over the seeds. */
public final class ResultsTable {
    private static final int TEXT_COLUMNS = 2;

    private ResultsTable() {}

    /** Returns the lines of the table, with aligned columns. */
    public static List<String> of(List<RunResult> results) {
        List<List<String>> cells = new ArrayList<>();
        cells.add(row(
                "workload",
                "policy",
                ResultColumn.ALL.stream().map(ResultColumn::head).toList()));
        for (ResultLine line : ResultLine.of(results)) {
            cells.add(row(
                    line.workload(),
                    line.policy(),
                    ResultColumn.ALL.stream().map(column -> column.words(line)).toList()));
        }
        return aligned(cells);
    }

    private static List<String> row(String workload, String policy, List<String> figures) {
        List<String> row = new ArrayList<>(List.of(workload, policy));
        row.addAll(figures);
        return row;
    }

    private static List<String> aligned(List<List<String>> cells) {
        int[] widths = new int[cells.get(0).size()];
        for (List<String> row : cells) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : cells) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? "" : "  ").append(i < TEXT_COLUMNS ? row.get(i) + pad : pad + row.get(i));
            }
            lines.add(line.toString());
        }
        return lines;
    }
}
