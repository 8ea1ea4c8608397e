package io.optimus.am.engine.emulated;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Reads the time and waits for a point in time. */
interface PacingClock {
    /** The clock of the machine. */
    PacingClock SYSTEM = new PacingClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void sleepUntil(long nanoTime) {
            long left = nanoTime - nanoTime();
            while (left > 0 && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
                left = nanoTime - nanoTime();
            }
        }
    };

    /** Nanoseconds since a fixed moment. */
    long nanoTime();

    /** Returns at {@code nanoTime}, or at once if the thread is interrupted; the thread stays interrupted. */
    void sleepUntil(long nanoTime);
}
