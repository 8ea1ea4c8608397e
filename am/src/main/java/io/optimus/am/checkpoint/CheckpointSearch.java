package io.optimus.am.checkpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the checkpoint that a job resumes from. A checkpoint is skipped only if its content proves that it is damaged. One that
 * cannot be read at the moment may be whole, and a job that resumed without it would lose its progress.
 */
final class CheckpointSearch {
    private final CheckpointStore store;
    private final Consumer<String> damaged;

    /** Searches {@code store}; {@code damaged} is told of each damaged checkpoint. */
    CheckpointSearch(CheckpointStore store, Consumer<String> damaged) {
        this.store = store;
        this.damaged = damaged;
    }

    /**
     * Returns the newest checkpoint that is whole, or empty if the job has none.
     *
     * @throws IOException if one cannot be read now, or all are damaged
     */
    Optional<SavedCheckpoint> newest() throws IOException {
        List<String> names = new ArrayList<>(store.names());
        names.removeIf(name -> !name.startsWith(CheckpointKey.PREFIX));
        Collections.reverse(names);
        for (String name : names) {
            try (StoreInput in = new StoreInput(store.open(name))) {
                Optional<SavedCheckpoint> found = read(name, in);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        if (!names.isEmpty()) {
            throw new IOException("All checkpoints of the job are damaged: " + names
                    + "; delete them to train it from the beginning");
        }
        return Optional.empty();
    }

    private Optional<SavedCheckpoint> read(String name, StoreInput in) throws IOException {
        try {
            CheckpointFile.Meta meta = CheckpointFile.read(in, slots -> {}, (part, slots) -> {});
            return Optional.of(new SavedCheckpoint(name, meta.step(), meta.floats(), meta.losses()));
        } catch (IOException | RuntimeException e) {
            if (in.failure != null) {
                throw new IOException(
                        "Checkpoint " + name + " cannot be read now; it may be whole: " + in.failure.getMessage(),
                        in.failure);
            }
            damaged.accept("Checkpoint " + name + " is damaged and not used: " + e);
            return Optional.empty();
        }
    }

    /** Remembers whether the store failed. If it did, what was read tells nothing about the file. */
    private static final class StoreInput extends FilterInputStream {
        private @Nullable IOException failure;

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
    }
}
