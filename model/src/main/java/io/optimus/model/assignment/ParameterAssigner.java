package io.optimus.model.assignment;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Divides a model's parameter blocks among parameter servers (Optimus, section 5.3). Pure and deterministic. */
public interface ParameterAssigner {
    /** Name in reports, such as {@code optimus}. */
    String name();

    /**
     * Divides the blocks.
     *
     * @param blockFloats lengths of the blocks in floats, each 1 or more, in the order of the flat parameter vector
     * @param servers ids of the servers, not empty
     */
    ParameterAssignment assign(List<Long> blockFloats, SortedSet<Integer> servers);

    /** Divides the blocks among the servers 0 … {@code servers} − 1. */
    default ParameterAssignment assign(List<Long> blockFloats, int servers) {
        return assign(
                blockFloats, new TreeSet<>(IntStream.range(0, servers).boxed().toList()));
    }
}
