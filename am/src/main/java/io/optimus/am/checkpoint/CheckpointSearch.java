package io.optimus.am.checkpoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds the checkpoint that a job resumes from. A checkpoint is skipped only if its contents prove that it is damaged. One that
 * cannot be read at the moment may be whole, and a job that resumed without it would lose its progress. Damage in a part is seen only
 * when that is loaded.
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
     * @throws UnusableException if all are damaged, or another version has written one
     * @throws IOException if one cannot be read now
     */
    Optional<SavedCheckpoint> newest() throws IOException {
        List<String> names = names();
        for (String name : names) {
            try (StoreInput in = new StoreInput(store, name)) {
                Optional<SavedCheckpoint> found = read(name, in);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        if (!names.isEmpty()) {
            throw new UnusableException("All checkpoints of the job are damaged: " + names
                    + "; delete them to train it from the beginning");
        }
        return Optional.empty();
    }

    /**
     * Returns the newest checkpoint that can be read now, also where a newer one may be whole; empty if there is none.
     *
     * @param before only checkpoints older than the one of this name; empty: all
     */
    Optional<SavedCheckpoint> newestReadable(Optional<String> before) throws IOException {
        for (String name : names()) {
            if (before.isPresent() && name.compareTo(before.get()) >= 0) {
                continue;
            }
            try (StoreInput in = new StoreInput(store, name)) {
                Optional<SavedCheckpoint> found = read(name, in);
                if (found.isPresent()) {
                    return found;
                }
            } catch (IOException e) {
                damaged.accept(e.getMessage() + "; an older one is tried");
            }
        }
        return Optional.empty();
    }

    /** The names of the checkpoints, the newest first. */
    private List<String> names() throws IOException {
        List<String> names = new ArrayList<>(store.names());
        names.removeIf(name -> !name.startsWith(CheckpointKey.PREFIX));
        Collections.reverse(names);
        return names;
    }

    private Optional<SavedCheckpoint> read(String name, StoreInput in) throws IOException {
        try {
            CheckpointFile.Meta meta = new CheckpointFile.Reader(in).meta();
            return Optional.of(new SavedCheckpoint(name, meta.step(), meta.floats(), meta.losses()));
        } catch (UnusableException e) {
            throw new UnusableException("Checkpoint " + name + " cannot be used: " + e.getMessage()
                    + "; go on with the version that has written it");
        } catch (IOException | RuntimeException e) {
            if (in.failure().isPresent()) {
                IOException failure = in.failure().get();
                throw new IOException(
                        "Checkpoint " + name + " cannot be read now; it may be whole: " + failure.getMessage(),
                        failure);
            }
            damaged.accept("Checkpoint " + name + " is damaged and not used: " + e);
            return Optional.empty();
        }
    }
}
