package io.optimus.am.checkpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A file of the store that remembers whether the store failed: what is read of it then says nothing of the file. */
final class StoreInput extends FilterInputStream {
    private @Nullable IOException failure;

    /** Reads {@code file}, and closes it. */
    StoreInput(InputStream file) {
        super(file);
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

    /** Throws what the store failed with, if it did. */
    void throwFailure(String name) throws IOException {
        if (failure != null) {
            throw new IOException(
                    "Checkpoint " + name + " cannot be read now; it may be whole: " + failure.getMessage(), failure);
        }
    }
}
