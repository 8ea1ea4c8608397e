package io.optimus.tests;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Waits for conditions, and checks that they hold. */
final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Await() {}

    /** Waits until {@code condition} holds; fails, naming {@code what}, if it does not within a minute. */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, LIMIT, condition);
    }

    /** Like {@link #until(String, Callable)}, with another limit. */
    static void until(String what, Duration limit, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not within " + limit.toSeconds() + " s: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Waits until {@code condition} has held for {@code time} without interruption. */
    static void untilLasting(String what, Duration limit, Duration time, Callable<Boolean> condition) throws Exception {
        AtomicLong since = new AtomicLong(System.nanoTime());
        until(what, limit, () -> {
            if (!condition.call()) {
                since.set(System.nanoTime());
            }
            return System.nanoTime() - since.get() > time.toNanos();
        });
    }

    /** Fails unless {@code condition} holds now and for the whole of {@code time}. */
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
