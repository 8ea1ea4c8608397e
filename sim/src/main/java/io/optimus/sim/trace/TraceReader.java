package io.optimus.sim.trace;

import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.CsvHeader;
import io.optimus.sim.input.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads workloads of one format, which it recognises by the first line of a file. {@code TraceReaders} lists all formats. */
public interface TraceReader {
    /** For people, such as {@code Philly}. */
    String kind();

    /** What the first line of such a file looks like, for people. */
    String headerInWords();

    /** The columns by which such a file is recognised; none where it is no table. */
    CsvHeader header();

    /** Whether a file that begins with this line is of this kind. */
    default boolean recognises(String firstLine) {
        return header().isIn(firstLine);
    }

    /**
     * Reads the whole file.
     *
     * @throws InvalidInputException with everything that is wrong in it
     * @throws IOException where it cannot be read
     */
    Workload read(Path file, Surroundings surroundings) throws IOException, InvalidInputException;

    /**
     * What a workload needs beside its file.
     *
     * @param profiles folder with what was measured of each model; empty where none was named
     * @param nodes of the cluster, 1 or more
     * @param gpusPerNode 1 or more
     */
    record Surroundings(Optional<Path> profiles, int nodes, int gpusPerNode) {}
}
