package io.optimus.am.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.SortedSet;

/**
 * The job's folder of checkpoints and models: a flat set of named files, each written whole. Used by several threads at
 * once, never two for the same name.
 */
public interface CheckpointStore {
    /**
     * Begins a file; it cannot be listed or opened until it is committed. One of the same name is replaced then.
     *
     * @param name letters, digits, dots and dashes
     */
    Draft create(String name) throws IOException;

    /**
     * Opens a committed file.
     *
     * @throws java.io.FileNotFoundException if there is none
     */
    InputStream open(String name) throws IOException;

    /** Names of the committed files. */
    SortedSet<String> names() throws IOException;

    /** Deletes a file; one that is not there is no error. */
    void delete(String name) throws IOException;

    /** A file that is being written; closing it without {@link #commit} leaves nothing behind. */
    interface Draft extends AutoCloseable {
        /** Where to write; closed by this draft. */
        OutputStream out();

        /** Makes the file durable and visible under its name, at once (written aside, then renamed). */
        void commit() throws IOException;

        /** Ends the draft; deletes what was written unless it was committed. Ends quietly when called twice. */
        @Override
        void close() throws IOException;
    }
}
