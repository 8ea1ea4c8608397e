package io.optimus.am.checkpoint;

import io.optimus.am.checkpoint.CheckpointStore.Input;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads any part of a file, and remembers whether the store failed meanwhile. If it did, what was read tells nothing about the
 * file.
 */
final class StoreInput implements Closeable {
    private final Input file;
    private long position;
    private @Nullable IOException failure;

    private interface Use<T> {
        T run() throws IOException;
    }

    StoreInput(Input file) {
        this.file = file;
    }

    /** The store's failure; empty if what was read is what the file holds. */
    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    /** The length of the file in bytes. */
    long length() throws IOException {
        return using(file::length);
    }

    /**
     * Reads {@code length} bytes from position {@code from} on, which costs least where the last call ended.
     *
     * @throws EOFException if the file ends before
     */
    void read(long from, byte[] into, int length) throws IOException {
        if (from != position) {
            using(() -> {
                file.seek(from);
                return from;
            });
            position = from;
        }
        int done = 0;
        while (done < length) {
            int before = done;
            int count = using(() -> file.read(into, before, length - before));
            if (count < 0) {
                throw new EOFException("the file ends at byte " + position);
            }
            done += count;
            position += count;
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
