package io.optimus.sim.report;

import java.util.ArrayList;
import java.util.List;

/** Aligns the columns of a table for the terminal. */
public final class TextTable {
    private TextTable() {}

    /**
     * Returns the lines of a table.
     *
     * @param cells cells by row; all rows have as many
     * @param textColumns how many columns hold text, which is aligned on the left; the others hold figures
     */
    public static List<String> aligned(List<List<String>> cells, int textColumns) {
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
                line.append(i == 0 ? "" : "  ").append(i < textColumns ? row.get(i) + pad : pad + row.get(i));
            }
            lines.add(line.toString());
        }
        return lines;
    }
}
