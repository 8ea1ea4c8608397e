package io.optimus.sim.input;

import java.util.List;

/**
 * The columns that a kind of file has, by which it is recognised. A file may have others beside them, in any order.
 *
 * <p>Example: of {@code timestamp,duration,num_gpus}, the line {@code timestamp,duration,gpus} lacks {@code num_gpus}.
 *
 * @param columns each by the names that it may have, in lower case
 */
public record CsvHeader(List<List<String>> columns) {
    /** Of a file that is no table. */
    public static final CsvHeader NONE = new CsvHeader(List.of());

    /** Copies. */
    public CsvHeader {
        columns = columns.stream().map(List::copyOf).toList();
    }

    /** Of columns with one name each. */
    public static CsvHeader of(List<String> names) {
        return new CsvHeader(names.stream().map(List::of).toList());
    }

    /** Whether {@code firstLine} has all of them. */
    public boolean isIn(String firstLine) {
        return !columns.isEmpty() && lacking(firstLine).isEmpty();
    }

    /** Those that {@code firstLine} does not have, in words. */
    public List<String> lacking(String firstLine) {
        List<String> there = CsvTable.columns(firstLine);
        return columns.stream()
                .filter(names -> names.stream().noneMatch(there::contains))
                .map(names -> String.join(" or ", names))
                .toList();
    }

    /** Part of them that {@code firstLine} has, from 0 to 1. */
    public double partIn(String firstLine) {
        return columns.isEmpty() ? 0 : 1 - (double) lacking(firstLine).size() / columns.size();
    }
}
