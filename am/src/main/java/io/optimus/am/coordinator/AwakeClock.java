package io.optimus.am.coordinator;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock that stands still while this process does: stopped by a signal, in a long collection of garbage, on a machine that is
 * moved. So nobody counts as silent only because nobody here has listened. One thread ticks it again and again, and reads it.
 */
final class AwakeClock {
    /** The thread that ticks waits less than a tenth of this, and rarely does one thing for longer. */
    private static final long LONGEST_TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private long ticked;
    private long asleep;

    /** A clock that leaves out the pauses of {@code nanoTime}. */
    AwakeClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.ticked = nanoTime.getAsLong();
    }

    /**
     * Notes that the process is awake. A longer time than a second since the last tick counts as a second.
     *
     * @return how long it has been asleep, in nanoseconds; 0 if it was awake
     */
    long tick() {
        long now = nanoTime.getAsLong();
        long slept = Math.max(0, now - ticked - LONGEST_TICK_NANOS);
        ticked = now;
        asleep += slept;
        return slept;
    }

    /** Nanoseconds awake since an arbitrary time; at most a second more than at the last tick. */
    long nanos() {
        return Math.min(nanoTime.getAsLong(), ticked + LONGEST_TICK_NANOS) - asleep;
    }
}
