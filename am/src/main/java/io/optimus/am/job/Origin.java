package io.optimus.am.job;

import java.util.Comparator;

/**
 * Where a value of a job file was written.
 *
 * @param source the file's name, or the option
 * @param line from 1; 0 where it is an option
 * @param column from 1; 0 where it is an option
 */
public record Origin(String source, int line, int column) implements Comparable<Origin> {
    private static final Comparator<Origin> ORDER = Comparator.comparing(Origin::isOption)
            .thenComparingInt(Origin::line)
            .thenComparingInt(Origin::column)
            .thenComparing(Origin::source);

    static Origin option(String option) {
        return new Origin(option, 0, 0);
    }

    private boolean isOption() {
        return line == 0;
    }

    /** The file from its top, then the options. */
    @Override
    public int compareTo(Origin other) {
        return ORDER.compare(this, other);
    }

    /** {@code job.yaml:12:5}, or the option itself. */
    @Override
    public String toString() {
        return isOption() ? source : source + ":" + line + ":" + column;
    }
}
