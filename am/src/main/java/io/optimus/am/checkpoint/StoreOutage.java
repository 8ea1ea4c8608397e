package io.optimus.am.checkpoint;

import io.optimus.am.wire.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Decides when something is tried again that a store has failed at, by {@link Backoff#ofStore}, until it has failed for too
 * long. Safe for use by several threads.
 */
public final class StoreOutage {
    private final long limitNanos;
    private final Backoff backoff = Backoff.ofStore();
    private boolean failing;
    private long sinceNanos;

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
        if (!failing) {
            failing = true;
            sinceNanos = nanos;
        }
        long left = limitNanos - (nanos - sinceNanos);
        return left > 0 ? OptionalLong.of(Math.min(left, backoff.next())) : OptionalLong.empty();
    }

    /** The store works again. */
    public synchronized void over() {
        failing = false;
        backoff.reset();
    }

    /**
     * Runs {@code use} until it succeeds, on the calling thread.
     *
     * @param warned is told of each failure that is tried again
     * @throws UnusableException at once
     * @throws IOException the last failure, when the store has failed for too long
     */
    public <T> T call(Use<T> use, Consumer<String> warned) throws IOException {
        while (true) {
            try {
                T result = use.run();
                over();
                return result;
            } catch (UnusableException e) {
                throw e;
            } catch (IOException e) {
                OptionalLong delay = failed(System.nanoTime());
                if (delay.isEmpty()) {
                    throw e;
                }
                warned.accept(e + "; trying again in " + seconds(delay.getAsLong()));
                Backoff.sleep(delay.getAsLong(), "ended while the store failed");
            }
        }
    }

    /** In words, such as "0.5 s". */
    public static String seconds(long nanos) {
        return Math.round(nanos / 1e8) / 10.0 + " s";
    }
}
