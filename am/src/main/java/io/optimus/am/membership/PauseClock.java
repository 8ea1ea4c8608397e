package io.optimus.am.membership;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.model.Allocation;

/** Measures how long stepping pauses for a change of membership, and remembers why. */
final class PauseClock {
    private static final double NANOS_PER_MILLI = 1e6;

    private Allocation from = Allocation.NONE;
    private Cause cause = Cause.STARTED;
    private long sinceNanos;
    private boolean running;
    private long brieflyNanos = -1;

    /** Stepping shall stop; the pause begins with {@link #begin}. */
    void expect(Cause why) {
        cause = why;
        running = false;
    }

    /** Stepping has stopped; counts from the first call. */
    void begin(long nowNanos) {
        if (!running) {
            running = true;
            sinceNanos = nowNanos;
        }
    }

    /** The reason is another one than it was. */
    void because(Cause why) {
        cause = why;
    }

    /** Workers that stay have not stopped: they only waited for their servers, so long. */
    void onlyFor(long nanos) {
        brieflyNanos = nanos;
    }

    /** The whole pause counts. */
    void whole() {
        brieflyNanos = -1;
    }

    /** The job waits: what comes next is no resize but a start. */
    void forget() {
        from = Allocation.NONE;
    }

    /** Stepping goes on. */
    Resize end(Allocation to, long step, long nowNanos) {
        long pause = brieflyNanos >= 0 ? brieflyNanos : nowNanos - sinceNanos;
        Resize resize = from.isNone()
                ? new Resize(from, to, 0, step, Cause.STARTED)
                : new Resize(from, to, Math.round(pause / NANOS_PER_MILLI), step, cause);
        from = to;
        running = false;
        return resize;
    }
}
