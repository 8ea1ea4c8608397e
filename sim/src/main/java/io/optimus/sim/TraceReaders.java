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

/** All kinds of files that can be simulated. */
public final class TraceReaders {
    private static final List<TraceReader> ALL = List.of(
            GpuTraceReader.philly(),
            GpuTraceReader.heliosAndAlibaba(),
            new PolluxReader(),
            new MeasuredSpeedReader(),
            new RecordingsReader());

    private TraceReaders() {}

    /** Every kind. */
    public static List<TraceReader> all() {
        return ALL;
    }

    /**
     * The workload in {@code file}, or of all recorded journals where that is a folder.
     *
     * @throws InvalidInputException where the file cannot be read, is of no known kind, or has errors
     */
    public static Workload read(Path file, TraceReader.Surroundings surroundings) throws InvalidInputException {
        try {
            if (Files.isDirectory(file)) {
                return new RecordingsReader().read(file, surroundings);
            }
            String first = firstLine(file);
            if (first.isBlank()) {
                throw new InvalidInputException(List.of(
                        file + " is empty, or its first line is. Remedy: begin it with the names of its columns"));
            }
            Optional<TraceReader> reader =
                    ALL.stream().filter(each -> each.recognises(first)).findFirst();
            if (reader.isEmpty()) {
                throw new UnknownFormat(ALL).problem(file, first);
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
}
