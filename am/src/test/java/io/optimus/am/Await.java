package io.optimus.am;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions that other threads or processes fulfil, up to a time limit. */
public final class Await {
    private static final long PATIENCE_MILLIS = 60_000;
    private static final long LOOK_MILLIS = 2;

    private Await() {}

    /** Polls until {@code condition} holds; fails with {@code what} in its message if it does not within a minute. */
    public static void until(String what, BooleanSupplier condition) {
        until(what, PATIENCE_MILLIS, () -> "", condition);
    }

    /** The same within {@code patienceMillis}; {@code seen} is what the message of a failure tells besides. */
    public static void until(String what, long patienceMillis, Supplier<String> seen, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Not within " + patienceMillis + " ms: " + what + "; " + seen.get());
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }
}
