package io.optimus.sim;

import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.trace.TraceReader;
import io.optimus.sim.trace.gpu.GpuTraceReader;
import io.optimus.sim.trace.measured.MeasuredSpeedReader;
import io.optimus.sim.trace.pollux.PolluxReader;
import io.optimus.sim.trace.recorded.RecordingsReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** All formats of workloads that can be simulated. */
public final class TraceReaders {
    private static final List<TraceReader> ALL = List.of(
            GpuTraceReader.philly(),
            GpuTraceReader.heliosAndAlibaba(),
            new PolluxReader(),
            new MeasuredSpeedReader(),
            new RecordingsReader());

    /** A file with this part of a format's columns is likely meant to have that format. */
    private static final double LIKELY_PART = 0.5;

    private static final List<String> OTHER_SEPARATORS = List.of(";", "\t", "|");

    private static final int MOST_SHOWN = 60;

    private TraceReaders() {}

    public static List<TraceReader> all() {
        return ALL;
    }

    /**
     * Reads the workload in {@code file}, or in all recorded journals if {@code file} is a folder.
     *
     * @throws InvalidInputException if the file cannot be read, has no known format, or has errors
     */
    public static Workload read(Path file, TraceReader.Surroundings surroundings) throws InvalidInputException {
        try {
            if (Files.isDirectory(file)) {
                return new RecordingsReader().read(file, surroundings);
            }
            String first = firstLine(file);
            if (first.isBlank()) {
                throw new InvalidInputException(
                        List.of(
                                file
                                        + " is empty or begins with an empty line. Remedy: write the names of its columns into the first line"));
            }
            Optional<TraceReader> reader =
                    ALL.stream().filter(each -> each.recognises(first)).findFirst();
            if (reader.isEmpty()) {
                throw new InvalidInputException(
                        List.of(file + " begins with \"" + shortened(first) + "\", " + remedy(first)));
            }
            return reader.get().read(file, surroundings);
        } catch (MalformedInputException binary) {
            throw new InvalidInputException(List.of(file + " is not a text file in UTF-8"));
        } catch (IOException unreadable) {
            throw new InvalidInputException(List.of(file + " cannot be read: " + unreadable));
        }
    }

    private static String firstLine(Path file) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            String line = lines.readLine();
            return line == null ? "" : line;
        }
    }

    /** Names the format that the file most likely has and the columns that it lacks, or else all formats. */
    private static String remedy(String firstLine) {
        for (String separator : OTHER_SEPARATORS) {
            String table = firstLine.replace(separator, ",");
            if (!firstLine.contains(",")
                    && ALL.stream().anyMatch(each -> each.header().isIn(table))) {
                return "which has no commas between its columns. Remedy: replace each \"" + separator + "\" by a comma";
            }
        }
        double most = ALL.stream()
                .mapToDouble(each -> each.header().partIn(firstLine))
                .max()
                .orElse(0);
        if (most < LIKELY_PART) {
            return "which is no known format. Remedy: name a file that begins with "
                    + ALL.stream()
                            .map(each -> each.headerInWords() + " (" + each.kind() + ")")
                            .collect(Collectors.joining(", or "));
        }
        return ALL.stream()
                .filter(each -> each.header().partIn(firstLine) == most)
                .map(each -> lacking(each, firstLine))
                .collect(Collectors.joining("; or ", "which is most like ", ""));
    }

    private static String lacking(TraceReader reader, String firstLine) {
        List<String> lacking = reader.header().lacking(firstLine);
        return reader.kind() + ", but lacks the column" + (lacking.size() == 1 ? " " : "s ")
                + String.join(", ", lacking) + ". Remedy: rename "
                + (lacking.size() == 1 ? "the column that holds it" : "the columns that hold them");
    }

    private static String shortened(String line) {
        return line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "…";
    }
}
