package io.optimus.am.coordinator;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock that stands still while this process does: when a signal stops it, during a long garbage collection, or while its
 * virtual machine migrates. A task whose messages wait unread in that time does not count as silent. One thread calls {@link
 * #tick} many times a second, and reads the clock.
 */
public final class AwakeClock {
    /** The thread that calls {@link #tick} rarely needs as long between two calls. */
    private static final long LONGEST_TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private long ticked;
    private long leftOut;

    /** A clock that leaves out the pauses of {@code nanoTime}. */
    public AwakeClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.ticked = nanoTime.getAsLong();
    }

    /**
     * Notes that the process runs. If the last call was more than a second ago, the time beyond that second is left out. Where the
     * other clock was set back, this one goes on from where it was.
     *
     * @return the time that is left out, in nanoseconds; 0 if the process has run all the time
     */
    public long tick() {
        long now = nanoTime.getAsLong();
        long leftOutNow = Math.max(0, now - ticked - LONGEST_TICK_NANOS);
        leftOut += now < ticked ? now - ticked : leftOutNow;
        ticked = now;
        return leftOutNow;
    }

    /** The time in nanoseconds since an arbitrary moment, without what is left out; at most a second after the last tick. */
    public long nanos() {
        return Math.min(nanoTime.getAsLong(), ticked + LONGEST_TICK_NANOS) - leftOut;
    }
}
