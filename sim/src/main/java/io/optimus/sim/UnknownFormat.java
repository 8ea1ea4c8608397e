package io.optimus.sim;

import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.trace.TraceReader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tells what is amiss with a file that is of no known kind: which one it most likely is, and which columns it lacks; where it has
 * less than half of those of any, all kinds that there are.
 */
final class UnknownFormat {
    private static final double LIKELY_PART = 0.5;

    /** Other marks that tables have between their columns. */
    private static final List<String> OTHER_MARKS = List.of(";", "\t", "|");

    private static final int MOST_SHOWN = 60;

    private final List<TraceReader> readers;

    UnknownFormat(List<TraceReader> readers) {
        this.readers = readers;
    }

    /** Of {@code file} with this first line. */
    InvalidInputException problem(Path file, String firstLine) {
        return new InvalidInputException(
                List.of(file + " begins with \"" + shortened(firstLine) + "\", " + remedy(firstLine)));
    }

    private String remedy(String firstLine) {
        for (String mark : OTHER_MARKS) {
            String table = firstLine.replace(mark, ",");
            if (!firstLine.contains(",")
                    && readers.stream().anyMatch(each -> each.header().isIn(table))) {
                return "which has no commas between its columns. Remedy: put them in place of each \"" + mark + "\"";
            }
        }
        double most = readers.stream()
                .mapToDouble(each -> each.header().partIn(firstLine))
                .max()
                .orElse(0);
        if (most < LIKELY_PART) {
            return "which is no kind of workload. Remedy: name a file that begins with "
                    + readers.stream()
                            .map(each -> each.headerInWords() + " (" + each.kind() + ")")
                            .collect(Collectors.joining(", or "));
        }
        return readers.stream()
                .filter(each -> each.header().partIn(firstLine) == most)
                .map(each -> lacking(each, firstLine))
                .collect(Collectors.joining("; or ", "which is most like ", ""));
    }

    private static String lacking(TraceReader reader, String firstLine) {
        List<String> lacking = reader.header().lacking(firstLine);
        return reader.kind() + ", but lacks the column" + (lacking.size() == 1 ? " " : "s ")
                + String.join(", ", lacking) + ". Remedy: name "
                + (lacking.size() == 1 ? "it so where it has another name" : "them so where they have other names");
    }

    private static String shortened(String line) {
        return line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "…";
    }
}
