package io.optimus.yarn.plan;

import java.util.concurrent.TimeUnit;

/**
 * Numbers of plans: they rise, also over restarts and failovers.
 *
 * <p>They start at the time in milliseconds at which the scheduler became active: a later one starts above an earlier
 * one, which counted up by less than one a millisecond. A job that comes back with a higher number (a clock went back)
 * lifts them too.
 */
public final class PlanNumbers {
    /** Clocks go wrong by less, and a job that lies must not use the numbers up. */
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

    /** Numbers given from now on are above {@code seen}, unless no ResourceManager can have given that. */
    public synchronized void above(long seen) {
        if (seen <= most) {
            last = Math.max(last, seen);
        }
    }
}
