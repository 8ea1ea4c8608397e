package io.optimus.am.checkpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Remembers whether the store failed while a file was read. If it did, what was read tells nothing about the file. */
final class StoreInput extends FilterInputStream {
    private @Nullable IOException failure;

    StoreInput(InputStream file) {
        super(file);
    }

    /** The store's failure; empty if what was read is what the file holds. */
    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public int read() throws IOException {
        try {
            return super.read();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return super.read(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }
}
