package io.optimus.am.checkpoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Looks for what a job can go on from. A checkpoint is passed over only when what is in it proves it damaged; one that
 * cannot be read at the moment may be whole, and a job that went on without it would lose what it has learnt.
 */
final class CheckpointSearch {
    private final CheckpointStore store;
    private final Consumer<String> damaged;

    /** In {@code store}; says which are {@code damaged}. */
    CheckpointSearch(CheckpointStore store, Consumer<String> damaged) {
        this.store = store;
        this.damaged = damaged;
    }

    /**
     * The newest one that is whole; empty: the job has none.
     *
     * @throws IOException if one cannot be read now, or all are damaged
     */
    Optional<SavedCheckpoint> newest() throws IOException {
        List<String> names = new ArrayList<>(store.names());
        names.removeIf(name -> !name.startsWith(CheckpointService.PREFIX));
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
            return Optional.of(new SavedCheckpoint(name, meta.step(), meta.floats(), meta.ledger()));
        } catch (IOException | RuntimeException e) {
            in.throwFailure(name);
            damaged.accept("Checkpoint " + name + " is not used: " + e);
            return Optional.empty();
        }
    }
}
