package io.optimus.am.checkpoint;

import io.optimus.am.checkpoint.CheckpointStore.Input;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads any part of a file, and remembers whether the store failed meanwhile. If it did, what was read tells nothing about the
 * file. It never seeks backwards, on which clients of object stores give up reading ahead: the file is opened once more.
 */
final class StoreInput implements Closeable {
    private final CheckpointStore store;
    private final String name;
    private final long length;
    private Input file;
    private long position;
    private @Nullable IOException failure;

    private interface Use<T> {
        T run() throws IOException;
    }

    /**
     * Opens a committed file.
     *
     * @throws java.io.FileNotFoundException if there is no such file
     */
    StoreInput(CheckpointStore store, String name) throws IOException {
        this.store = store;
        this.name = name;
        this.file = store.open(name);
        this.length = file.length();
    }

    /** The store's failure; empty if what was read is what the file holds. */
    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    /** The length of the file in bytes. */
    long length() {
        return length;
    }

    /**
     * Reads {@code count} bytes from position {@code from} on, which costs least where the last call ended.
     *
     * @throws EOFException if the file ends before
     */
    void read(long from, byte[] into, int count) throws IOException {
        if (from < position) {
            file.close();
            file = using(() -> store.open(name));
            position = 0;
        }
        if (from > position) {
            using(() -> {
                file.seek(from);
                return from;
            });
            position = from;
        }
        int done = 0;
        while (done < count) {
            int before = done;
            int read = using(() -> file.read(into, before, count - before));
            if (read < 0) {
                throw new EOFException("the file ends at byte " + position);
            }
            done += read;
            position += read;
        }
    }

    private <T> T using(Use<T> use) throws IOException {
        try {
            return use.run();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
