package io.optimus.am.client.logs;

import java.io.IOException;
import java.util.SortedMap;

/** Reads what processes have written. */
interface LogReader {
    /** The output that a process writes by itself; YARN's own files beside it are of no use to owners of jobs. */
    String OUTPUT = "stdout|stderr";

    /**
     * The files of a process by name, with their lengths in bytes.
     *
     * @throws IOException if they cannot be read; the message says why, and what to do
     */
    SortedMap<String, Long> files(LoggedTask task) throws IOException;

    /**
     * Reads the last {@code bytes} of a file.
     *
     * @throws IOException if it cannot be read; the message says why, and what to do
     */
    LastBytes last(LoggedTask task, String file, long bytes) throws IOException;
}
