package io.optimus.yarn.plan;

import java.util.concurrent.TimeUnit;

/**
 * Numbers the plans. The numbers rise, also over restarts and failovers.
 *
 * <p>They start at the time in milliseconds at which the scheduler became active. A later scheduler starts above an earlier
 * one, which used fewer than one number a millisecond. A job that registers with a higher number, because a clock was set
 * back, raises them too.
 */
public final class PlanNumbers {
    /** No clock is wrong by so much. The limit keeps a job with false numbers from using up all numbers. */
    private static final long MOST_AHEAD = TimeUnit.DAYS.toMillis(30);

    private final long most;
    private long last;

    public PlanNumbers(long startMillis) {
        this.last = startMillis;
        this.most = startMillis + MOST_AHEAD;
    }

    public synchronized long next() {
        return ++last;
    }

    /** Makes later numbers exceed {@code seen}, unless {@code seen} is too high for any ResourceManager to have used it. */
    public synchronized void above(long seen) {
        if (seen <= most) {
            last = Math.max(last, seen);
        }
    }
}
