package io.optimus.am.wire;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Pauses between tries: each is twice as long as the one before, up to a longest. Not safe for use by several threads. */
public final class Backoff {
    private final long firstNanos;
    private final long longestNanos;
    private long nextNanos;

    /** Begins with {@code first}. */
    Backoff(Duration first, Duration longest) {
        this.firstNanos = first.toNanos();
        this.longestNanos = longest.toNanos();
        this.nextNanos = firstNanos;
    }

    /** For a store that fails: half a second to 10 s. */
    public static Backoff ofStore() {
        return new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10));
    }

    /** Returns the length of the next pause, in nanoseconds. */
    public long next() {
        long nanos = nextNanos;
        nextNanos = Math.min(2 * nanos, longestNanos);
        return nanos;
    }

    /** Begins anew. */
    public void reset() {
        nextNanos = firstNanos;
    }

    /**
     * Waits.
     *
     * @throws InterruptedIOException with the message {@code interrupted}; the thread's interrupt status is set
     */
    public static void sleep(long nanos, String interrupted) throws InterruptedIOException {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(interrupted);
        }
    }
}
