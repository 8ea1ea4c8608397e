package io.optimus.am.checkpoint;

import io.optimus.am.wire.files.StoredParts;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.SortedSet;

/**
 * The folder of a job's checkpoints and model: a flat set of named files, each written whole. Several threads use it at
 * the same time, but never for the same name.
 */
public interface CheckpointStore {
    /**
     * Begins a file, which cannot be listed or opened until it is committed. Then it replaces any file of the same name.
     *
     * @param name letters, digits, dots and dashes
     */
    Draft create(String name) throws IOException;

    /**
     * Begins a file that an owner's program left, in a folder of its own beside the checkpoints. It is committed like others,
     * but {@link #open} and {@link #names} do not know it.
     *
     * @param name parts of letters, digits, spaces and . _ = + @ -, separated by slashes
     */
    Draft createOutput(String name) throws IOException;

    /**
     * Opens a committed file.
     *
     * @throws java.io.FileNotFoundException if there is no such file
     */
    Input open(String name) throws IOException;

    /**
     * Returns the addresses at which a task may read a committed file by itself, as {@link StoredParts#addresses}. Whether it can,
     * it finds out.
     */
    default List<URI> addresses(String name) {
        return List.of();
    }

    /** Returns the names of the committed files. */
    SortedSet<String> names() throws IOException;

    /** Deletes a file. Does nothing if there is no such file. */
    void delete(String name) throws IOException;

    /** A committed file that is being read. Used by one thread. */
    interface Input extends Closeable {
        /** The length of the file in bytes. */
        long length() throws IOException;

        /** Reads on from {@code position}, in bytes from the file's beginning. */
        void seek(long position) throws IOException;

        /**
         * Reads as {@link java.io.InputStream#read(byte[], int, int)}, from the file's beginning unless {@link #seek} says otherwise.
         *
         * @return the number of bytes, 1 or more; -1 at the end of the file
         */
        int read(byte[] bytes, int offset, int length) throws IOException;
    }

    /** A file that is being written. Closing it without {@link #commit} deletes it. */
    interface Draft extends AutoCloseable {
        /** The stream to write to, which this draft closes. */
        OutputStream out();

        /** Makes the file durable, and then visible under its name by one rename. */
        void commit() throws IOException;

        /** Deletes the file unless it was committed. Does nothing the second time. */
        @Override
        void close() throws IOException;
    }
}
