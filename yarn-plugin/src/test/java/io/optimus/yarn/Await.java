package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for conditions that other threads fulfil, up to a time limit. */
public final class Await {
    private static final long PATIENCE_SECONDS = 20;
    private static final long LOOK_MILLIS = 2;

    private Await() {}

    /** Polls until {@code condition} holds; fails with {@code what} in its message if that takes too long. */
    public static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time: " + what).isLessThan(end);
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }
}
