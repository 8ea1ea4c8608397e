package io.optimus.am.checkpoint;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Decides when something is tried again that a store has failed at: after half a second, then after twice as long each time, up
 * to 10 s, until the store has failed for too long. Safe for use by several threads.
 */
public final class StoreOutage {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long limitNanos;
    private long sinceNanos;
    /** The time until the last repetition; 0 while the store works. */
    private long delayNanos;

    /** An outage that may last for {@code limit}. */
    public StoreOutage(Duration limit) {
        this.limitNanos = limit.toNanos();
    }

    /** Something that a store may fail at. */
    @FunctionalInterface
    public interface Use<T> {
        T run() throws IOException;
    }

    /**
     * The store has failed at {@code nanos}.
     *
     * @return nanoseconds until the next try; empty if it has failed for too long
     */
    public synchronized OptionalLong failed(long nanos) {
        if (delayNanos == 0) {
            sinceNanos = nanos;
        }
        long left = limitNanos - (nanos - sinceNanos);
        if (left <= 0) {
            return OptionalLong.empty();
        }
        delayNanos = Math.min(left, delayNanos == 0 ? FIRST_NANOS : Math.min(2 * delayNanos, MOST_NANOS));
        return OptionalLong.of(delayNanos);
    }

    /** The store works again. */
    public synchronized void over() {
        delayNanos = 0;
    }

    /**
     * Runs {@code use} until it succeeds, on the calling thread.
     *
     * @param warned is told of each failure that is tried again
     * @throws DamagedException at once
     * @throws IOException the last failure, when the store has failed for too long
     */
    public <T> T call(Use<T> use, Consumer<String> warned) throws IOException {
        while (true) {
            try {
                T result = use.run();
                over();
                return result;
            } catch (DamagedException e) {
                throw e;
            } catch (IOException e) {
                OptionalLong delay = failed(System.nanoTime());
                if (delay.isEmpty()) {
                    throw e;
                }
                warned.accept(e + "; trying again in " + seconds(delay.getAsLong()));
                sleep(delay.getAsLong());
            }
        }
    }

    private static void sleep(long nanos) throws InterruptedIOException {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("ended while the store failed");
        }
    }

    /** In words, such as "0.5 s". */
    public static String seconds(long nanos) {
        return Math.round(nanos / 1e8) / 10.0 + " s";
    }
}
