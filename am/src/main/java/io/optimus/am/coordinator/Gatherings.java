package io.optimus.am.coordinator;

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
final class Gatherings {
    /** In the making at once; more means that servers do not save the same steps. */
    private static final int MOST = 8;

    private final CheckpointStore store;
    private final Executor later;
    private final Consumer<String> warned;
    private final SortedMap<CheckpointDesk.Key, Gathering> pending = new TreeMap<>();
    private final Map<CheckpointDesk.Key, Gathering> closing = new HashMap<>();

    /**
     * None yet.
     *
     * @param later runs what waits for the store; returns at once
     * @param warned hears of what is not as it should be and does no harm
     */
    Gatherings(CheckpointStore store, Executor later, Consumer<String> warned) {
        this.store = store;
        this.later = later;
        this.warned = warned;
    }

    /** The one of {@code key}, begun if there is none; where there are too many then, the oldest is forgotten. */
    synchronized Gathering begin(CheckpointDesk.Key key) {
        Gathering into = pending.computeIfAbsent(key, of -> new Gathering(store, of.name(), closing.get(of)));
        if (pending.size() > MOST) {
            forget(pending.firstKey());
        }
        return into;
    }

    /** The one of {@code key}; empty if there is none, or it was forgotten. */
    synchronized Optional<Gathering> find(CheckpointDesk.Key key) {
        return Optional.ofNullable(pending.get(key));
    }

    /** This one is committed, or will never be. */
    synchronized void remove(CheckpointDesk.Key key, Gathering done) {
        pending.remove(key, done);
    }

    /** Drops what will not be completed, for {@code key} is. */
    void forgetBefore(CheckpointDesk.Key key) {
        keys().stream().filter(one -> one.compareTo(key) < 0).forEach(this::forget);
    }

    void forgetAll() {
        keys().forEach(this::forget);
    }

    /** Drops the one of {@code key}; never waits, not even for the store. */
    void forget(CheckpointDesk.Key key) {
        find(key).ifPresent(dropped -> forget(key, dropped));
    }

    /** Whether it was not forgotten before. */
    synchronized boolean forget(CheckpointDesk.Key key, Gathering dropped) {
        if (!pending.remove(key, dropped)) {
            return false;
        }
        closing.put(key, dropped);
        dropped.forget();
        later.execute(() -> close(key, dropped));
        return true;
    }

    private void close(CheckpointDesk.Key key, Gathering dropped) {
        try {
            dropped.close();
        } catch (IOException e) {
            warned.accept("The draft of " + key.name() + " is not deleted: " + e.getMessage());
        }
        synchronized (this) {
            closing.remove(key, dropped);
        }
    }

    private synchronized List<CheckpointDesk.Key> keys() {
        return List.copyOf(pending.keySet());
    }
}
