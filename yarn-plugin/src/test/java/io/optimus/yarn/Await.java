package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;

/** Waits for conditions that other threads fulfil, up to a time limit. */
public final class Await {
    private static final long PATIENCE_SECONDS = 20;
    private static final long LOOK_MILLIS = 2;

    private Await() {}

    /** A condition, which may act on what it waits for. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Polls until {@code condition} holds; fails with {@code what} in its message if that takes too long. */
    public static void until(String what, Condition condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!holds(what, condition)) {
            assertThat(System.nanoTime()).as("in time: " + what).isLessThan(end);
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }

    private static boolean holds(String what, Condition condition) {
        try {
            return condition.holds();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(what, e);
        } catch (Exception e) {
            throw new AssertionError(what, e);
        }
    }
}
