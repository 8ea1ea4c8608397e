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
 * The checkpoints in the making, by key. One that is forgotten takes nothing more from then on; what there is of it is
 * deleted later, or by the next one of the same key, whose draft has the same place.
 *
 * <p>Safe for use by several threads. Its monitor is its only lock, and nobody waits for the store with it held.
 */
final class PartialCheckpoints {
    /** In the making at once; more means that servers do not save the same steps. */
    private static final int MOST = 8;

    private final CheckpointStore store;
    private final Executor later;
    private final Consumer<String> warned;
    private final SortedMap<CheckpointService.Key, PartialCheckpoint> pending = new TreeMap<>();
    private final Map<CheckpointService.Key, PartialCheckpoint> closing = new HashMap<>();

    /**
     * None yet.
     *
     * @param later runs what waits for the store; returns at once
     * @param warned hears of what is not as it should be and does no harm
     */
    PartialCheckpoints(CheckpointStore store, Executor later, Consumer<String> warned) {
        this.store = store;
        this.later = later;
        this.warned = warned;
    }

    /** The one of {@code key}, begun if there is none; where there are too many then, the oldest is forgotten. */
    synchronized PartialCheckpoint begin(CheckpointService.Key key) {
        PartialCheckpoint into =
                pending.computeIfAbsent(key, of -> new PartialCheckpoint(store, of.name(), closing.get(of)));
        if (pending.size() > MOST) {
            forget(pending.firstKey());
        }
        return into;
    }

    /** The one of {@code key}; empty if there is none, or it was forgotten. */
    synchronized Optional<PartialCheckpoint> find(CheckpointService.Key key) {
        return Optional.ofNullable(pending.get(key));
    }

    /** This one is committed, or will never be. */
    synchronized void remove(CheckpointService.Key key, PartialCheckpoint done) {
        pending.remove(key, done);
    }

    /** Drops what will not be completed, for {@code key} is. */
    void forgetBefore(CheckpointService.Key key) {
        keys().stream().filter(one -> one.compareTo(key) < 0).forEach(this::forget);
    }

    void forgetAll() {
        keys().forEach(this::forget);
    }

    /** Drops the one of {@code key}; never waits, not even for the store. */
    void forget(CheckpointService.Key key) {
        find(key).ifPresent(dropped -> forget(key, dropped));
    }

    /** Whether it was not forgotten before. */
    synchronized boolean forget(CheckpointService.Key key, PartialCheckpoint dropped) {
        if (!pending.remove(key, dropped)) {
            return false;
        }
        closing.put(key, dropped);
        dropped.forget();
        later.execute(() -> close(key, dropped));
        return true;
    }

    private void close(CheckpointService.Key key, PartialCheckpoint dropped) {
        try {
            dropped.close();
        } catch (IOException e) {
            warned.accept("The draft of " + key.name() + " is not deleted: " + e.getMessage());
        }
        synchronized (this) {
            closing.remove(key, dropped);
        }
    }

    private synchronized List<CheckpointService.Key> keys() {
        return List.copyOf(pending.keySet());
    }
}
