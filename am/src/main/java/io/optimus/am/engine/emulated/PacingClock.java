package io.optimus.am.engine.emulated;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Time that passes, and waiting for it. */
interface PacingClock {
    /** The machine's own. */
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

    /** Nanoseconds since some fixed moment. */
    long nanoTime();

    /** Returns at {@code nanoTime}, or at once when the thread is interrupted, which it stays. */
    void sleepUntil(long nanoTime);
}
