package io.optimus.sim.trace;

import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.CsvHeader;
import io.optimus.sim.input.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads workloads of one format, which it recognises by the first line of a file. {@code TraceReaders} lists all formats. */
public interface TraceReader {
    /** Returns the name of the format, such as {@code Philly}. */
    String kind();

    /** Describes the first line of such a file to a user. */
    default String headerInWords() {
        return header().inWords();
    }

    /** Returns the columns by which such a file is recognised; none if the format is not a table. */
    CsvHeader header();

    /** Whether a file that begins with this line has this format. */
    default boolean recognises(String firstLine) {
        return header().isIn(firstLine);
    }

    /**
     * Reads the whole file.
     *
     * @throws InvalidInputException if the file has errors; names all of them
     * @throws IOException if it cannot be read
     */
    Workload read(Path file, Surroundings surroundings) throws IOException, InvalidInputException;

    /**
     * The input of a reader beside the file.
     *
     * @param profiles folder with the measured profile of each model; empty if none was named
     * @param nodes number of nodes of the cluster, 1 or more
     * @param gpusPerNode GPUs of a node, 1 or more
     */
    record Surroundings(Optional<Path> profiles, int nodes, int gpusPerNode) {}
}
