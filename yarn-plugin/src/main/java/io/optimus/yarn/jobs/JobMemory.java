package io.optimus.yarn.jobs;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Bounds the memory that all jobs take together. Each part that a job keeps is reserved before it is kept; the sizes are
 * estimates that are a little too large.
 *
 * <p>Thread-safe.
 */
final class JobMemory {
    private final LongSupplier mostBytes;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();

    /** At most {@code mostBytes} in all, asked for at each reservation. */
    JobMemory(LongSupplier mostBytes) {
        this.mostBytes = mostBytes;
    }

    long bytes() {
        return bytes.get();
    }

    /** How often there was no room. */
    long refusals() {
        return refusals.get();
    }

    /** What one job has reserved. Its lock is held for an addition only, so that the scheduler never waits to remove a job. */
    final class Share {
        private long reserved;
        private boolean released;

        /** Changes the reservation to {@code wanted}; returns false, and counts it, if it grows and there is no room. */
        synchronized boolean resize(long wanted) {
            if (released) {
                // The job is forgotten as soon as the call that uses it has ended.
                return true;
            }
            long more = wanted - reserved;
            long after = bytes.addAndGet(more);
            if (more > 0 && after > mostBytes.getAsLong()) {
                bytes.addAndGet(-more);
                refusals.incrementAndGet();
                return false;
            }
            reserved = wanted;
            return true;
        }

        /** Changes the reservation to {@code wanted}, whether there is room or not. */
        synchronized void take(long wanted) {
            if (!released) {
                bytes.addAndGet(wanted - reserved);
                reserved = wanted;
            }
        }

        /** Gives the reservation back, for good. */
        synchronized void release() {
            released = true;
            bytes.addAndGet(-reserved);
            reserved = 0;
        }
    }
}
