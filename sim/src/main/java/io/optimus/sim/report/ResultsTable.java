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
        return TextTable.aligned(cells, TEXT_COLUMNS);
    }

    private static List<String> row(String workload, String policy, List<String> figures) {
        List<String> row = new ArrayList<>(List.of(workload, policy));
        row.addAll(figures);
        return row;
    }
}
