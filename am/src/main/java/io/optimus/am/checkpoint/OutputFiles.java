package io.optimus.am.checkpoint;

import io.optimus.am.checkpoint.CheckpointStore.Draft;
import io.optimus.am.wire.files.OutputTransfer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the files of one transfer. Once the store has failed, the rest is read and dropped, so that its sender learns why.
 */
final class OutputFiles {
    private final CheckpointStore store;
    private @Nullable IOException failure;

    OutputFiles(CheckpointStore store) {
        this.store = store;
    }

    /** The store's failure; empty if all files are kept. */
    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    /**
     * Keeps one file.
     *
     * @throws IOException if it could not be received
     */
    void receive(String name, OutputTransfer.Content content) throws IOException {
        Optional<Draft> draft = begin(name);
        try {
            content.copyTo(new Kept(draft.map(Draft::out).orElse(OutputStream.nullOutputStream())));
            if (failure == null) {
                draft.ifPresent(whole -> storing(whole::commit));
            }
        } finally {
            draft.ifPresent(ended -> storing(ended::close));
        }
    }

    private Optional<Draft> begin(String name) {
        if (failure != null) {
            return Optional.empty();
        }
        try {
            return Optional.of(store.createOutput(name));
        } catch (IOException e) {
            failure = e;
            return Optional.empty();
        }
    }

    private void storing(Storing step) {
        try {
            step.run();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
    }

    private interface Storing {
        void run() throws IOException;
    }

    /** Drops everything after the first failure. */
    private final class Kept extends OutputStream {
        private final OutputStream out;

        Kept(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            if (failure == null) {
                try {
                    out.write(bytes, offset, length);
                } catch (IOException e) {
                    failure = e;
                }
            }
        }
    }
}
