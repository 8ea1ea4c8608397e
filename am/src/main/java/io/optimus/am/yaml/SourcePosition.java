package io.optimus.am.yaml;

import java.util.Comparator;

/**
 * Where a value was written.
 *
 * @param source the name of the file, or the command-line option
 * @param line from 1; 0 if it is an option
 * @param column from 1; 0 if it is an option
 */
public record SourcePosition(String source, int line, int column) implements Comparable<SourcePosition> {
    private static final Comparator<SourcePosition> ORDER = Comparator.comparing(SourcePosition::isOption)
            .thenComparingInt(SourcePosition::line)
            .thenComparingInt(SourcePosition::column)
            .thenComparing(SourcePosition::source);

    /** The position of a value that a command-line option gives. */
    public static SourcePosition option(String option) {
        return new SourcePosition(option, 0, 0);
    }

    private boolean isOption() {
        return line == 0;
    }

    /** Positions in the file come first, from its top; then options. */
    @Override
    public int compareTo(SourcePosition other) {
        return ORDER.compare(this, other);
    }

    /** {@code job.yaml:12:5}, or the option itself. */
    @Override
    public String toString() {
        return isOption() ? source : source + ":" + line + ":" + column;
    }
}
