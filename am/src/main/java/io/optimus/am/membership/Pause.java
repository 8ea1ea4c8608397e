package io.optimus.am.membership;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.model.Allocation;

/**
 * A stop of stepping, from the end of one membership's last step to the start of the next one's first step.
 *
 * @param before the allocation that stepped before; none: the job waited, so what follows is a start and not a resize
 * @param cause why stepping stopped; a loss during the pause replaces it
 * @param sinceNanos when stepping stopped
 */
record Pause(Allocation before, Cause cause, long sinceNanos) {
    private static final double NANOS_PER_MILLI = 1e6;

    /** The job waited. */
    static Pause none(long nowNanos) {
        return new Pause(Allocation.NONE, Cause.STARTED, nowNanos);
    }

    Pause because(Cause other) {
        return new Pause(before, other, sinceNanos);
    }

    /** Stepping goes on with {@code after} after {@code nanos} without a step. */
    Resize resize(Allocation after, long step, long nanos) {
        return before.isNone()
                ? new Resize(before, after, 0, step, Cause.STARTED)
                : new Resize(before, after, Math.round(nanos / NANOS_PER_MILLI), step, cause);
    }
}
