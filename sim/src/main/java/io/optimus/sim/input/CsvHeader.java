package io.optimus.sim.input;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The columns by which a format is recognised. A file may have them in any order, and may have others.
 *
 * <p>Example: the line {@code timestamp,duration,gpus} lacks {@code num_gpus} of {@code timestamp,duration,num_gpus}.
 *
 * @param columns the names that each column may have, in lower case
 */
public record CsvHeader(List<List<String>> columns) {
    /** The header of a format that is not a table. */
    public static final CsvHeader NONE = new CsvHeader(List.of());

    public CsvHeader {
        columns = columns.stream().map(List::copyOf).toList();
    }

    public static CsvHeader of(List<String> names) {
        return new CsvHeader(names.stream().map(List::of).toList());
    }

    public boolean isIn(String firstLine) {
        return !columns.isEmpty() && lacking(firstLine).isEmpty();
    }

    /** Lists the columns, each with its names. */
    public String inWords() {
        return columns.stream().map(CsvHeader::names).collect(Collectors.joining(","));
    }

    private static String names(List<String> column) {
        return String.join(" or ", column);
    }

    /** Names the columns that {@code firstLine} lacks. */
    public List<String> lacking(String firstLine) {
        List<String> there = CsvTable.columns(firstLine);
        return columns.stream()
                .filter(names -> names.stream().noneMatch(there::contains))
                .map(CsvHeader::names)
                .toList();
    }

    /** Returns the part of the columns that {@code firstLine} has, from 0 to 1. */
    public double partIn(String firstLine) {
        return columns.isEmpty() ? 0 : 1 - (double) lacking(firstLine).size() / columns.size();
    }
}
