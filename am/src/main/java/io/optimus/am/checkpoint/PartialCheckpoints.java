package io.optimus.am.checkpoint;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The checkpoints that are not committed, by key. A discarded one receives nothing more. Its draft is deleted later, or
 * by the next checkpoint of the same key, whose draft has the same path.
 *
 * <p>Safe for use by several threads. Its monitor is its only lock, and no thread waits for the store while it holds it.
 */
final class PartialCheckpoints {
    /** More at once means that servers do not save the same steps. */
    private static final int MOST = 8;

    private final CheckpointStore store;
    private final Executor later;
    private final Consumer<String> warned;
    private final SortedMap<CheckpointKey, PartialCheckpoint> pending = new TreeMap<>();
    private final Map<CheckpointKey, PartialCheckpoint> closing = new HashMap<>();

    /**
     * Starts empty.
     *
     * @param later runs what waits for the store; returns at once
     * @param warned is told of failures that do no harm
     */
    PartialCheckpoints(CheckpointStore store, Executor later, Consumer<String> warned) {
        this.store = store;
        this.later = later;
        this.warned = warned;
    }

    /** Returns the checkpoint of {@code key}, a new one if there is none. The oldest is discarded if there are too many. */
    synchronized PartialCheckpoint begin(CheckpointKey key) {
        PartialCheckpoint into =
                pending.computeIfAbsent(key, of -> new PartialCheckpoint(store, of.name(), closing.get(of)));
        if (pending.size() > MOST) {
            discard(pending.firstKey());
        }
        return into;
    }

    /** Returns the checkpoint of {@code key}; empty if there is none, or it was discarded. */
    synchronized Optional<PartialCheckpoint> find(CheckpointKey key) {
        return Optional.ofNullable(pending.get(key));
    }

    /** Removes a checkpoint that was committed or that will never be committed. */
    synchronized void remove(CheckpointKey key, PartialCheckpoint done) {
        pending.remove(key, done);
    }

    /** Discards the checkpoints before {@code key}. */
    void discardBefore(CheckpointKey key) {
        keys().stream().filter(one -> one.compareTo(key) < 0).forEach(this::discard);
    }

    void discardAll() {
        keys().forEach(this::discard);
    }

    /** Discards the checkpoint of {@code key} without waiting. */
    void discard(CheckpointKey key) {
        find(key).ifPresent(dropped -> discard(key, dropped));
    }

    /** Discards {@code dropped}. Returns false if it was discarded or removed before. */
    synchronized boolean discard(CheckpointKey key, PartialCheckpoint dropped) {
        if (!pending.remove(key, dropped)) {
            return false;
        }
        closing.put(key, dropped);
        dropped.discard();
        later.execute(() -> close(key, dropped));
        return true;
    }

    private void close(CheckpointKey key, PartialCheckpoint dropped) {
        try {
            dropped.close();
        } catch (IOException e) {
            warned.accept("The draft of " + key.name() + " is not deleted: " + e.getMessage());
        }
        synchronized (this) {
            closing.remove(key, dropped);
        }
    }

    private synchronized List<CheckpointKey> keys() {
        return List.copyOf(pending.keySet());
    }
}
