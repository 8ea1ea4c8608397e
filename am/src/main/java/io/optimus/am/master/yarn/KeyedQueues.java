package io.optimus.am.master.yarn;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Runs the work of each key in its order, and that of different keys side by side. */
final class KeyedQueues<K> {
    private final Executor threads;
    /** What waits, for each key of which something runs. */
    private final Map<K, Queue<Runnable>> waiting = new HashMap<>();

    /** Runs on {@code threads}, which must not limit their number: work of one key may take long. */
    KeyedQueues(Executor threads) {
        this.threads = threads;
    }

    /** Runs {@code work}, which throws nothing, after all that was given for the same key before; drops it at shutdown. */
    void execute(K key, Runnable work) {
        synchronized (waiting) {
            Queue<Runnable> before = waiting.get(key);
            if (before != null) {
                before.add(work);
                return;
            }
            waiting.put(key, new ArrayDeque<>());
        }
        try {
            threads.execute(() -> runAll(key, work));
        } catch (RejectedExecutionException shutDown) {
            // Nobody waits for it any more.
        }
    }

    private void runAll(K key, Runnable first) {
        for (Runnable next = first; next != null; next = next(key)) {
            next.run();
        }
    }

    private @Nullable Runnable next(K key) {
        synchronized (waiting) {
            Queue<Runnable> left = waiting.get(key);
            Runnable next = left == null ? null : left.poll();
            if (next == null) {
                waiting.remove(key);
            }
            return next;
        }
    }
}
