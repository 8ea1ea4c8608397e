package io.optimus.tests;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Waits for conditions. */
final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Await() {}

    /** Until {@code condition} holds; fails, naming {@code what}, when it does not within a minute. */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, PATIENCE, condition);
    }

    static void until(String what, Duration patience, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not within " + patience.toSeconds() + " s: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Until {@code condition} has held for {@code time} without a break. */
    static void untilLasting(String what, Duration patience, Duration time, Callable<Boolean> condition)
            throws Exception {
        AtomicLong since = new AtomicLong(System.nanoTime());
        until(what, patience, () -> {
            if (!condition.call()) {
                since.set(System.nanoTime());
            }
            return System.nanoTime() - since.get() > time.toNanos();
        });
    }

    /** That {@code condition} holds now and all through {@code time}. */
    static void holds(String what, Duration time, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            if (!condition.call()) {
                throw new AssertionError("Did not hold: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
