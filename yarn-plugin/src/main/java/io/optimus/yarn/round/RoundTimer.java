package io.optimus.yarn.round;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Decides when the next round is due: every interval, and early after a trigger, but never two within the gap. Between
 * rounds the plan is refreshed at regular times and when a job has released a container. After a step that took long, the
 * next early round or refresh waits so long that all steps together take no more than a share of the time.
 *
 * <p>Any thread may signal a trigger; this takes no time and never throws. Triggers are kept until the next round.
 */
public final class RoundTimer {
    /** Earlier than any clock's time. */
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final BooleanSupplier hasJobs;
    private final Set<RoundTrigger> triggers = EnumSet.noneOf(RoundTrigger.class);
    private boolean released;
    /** At first the round is due at once. */
    private long lastRoundMillis = NEVER;

    private long lastDueMillis = NEVER;

    /** @param hasJobs whether there are training jobs now */
    public RoundTimer(BooleanSupplier hasJobs) {
        this.hasJobs = hasJobs;
    }

    /**
     * Intervals.
     *
     * @param intervalMillis between two regular rounds
     * @param gapMillis least time between two rounds
     * @param refreshMillis longest time without a plan refresh
     * @param refreshGapMillis least time between two refreshes, however many containers end
     * @param share most of the time that steps may take, in (0, 1]; a regular round is due in any case
     */
    record Times(long intervalMillis, long gapMillis, long refreshMillis, long refreshGapMillis, double share) {
        /** How long to wait after a step that took {@code tookMillis}. */
        private long pauseMillis(long tookMillis) {
            return Math.min(intervalMillis, Math.round(Math.max(0, tookMillis) * (1 - share) / share));
        }
    }

    enum Step {
        ROUND,
        /** A refresh of the plan in force. */
        REFRESH
    }

    /**
     * A step that is due now.
     *
     * @param step what to do
     * @param triggers why a round is early; empty for a regular one and for a refresh
     */
    record Due(Step step, Set<RoundTrigger> triggers) {
        Due {
            triggers = Set.copyOf(triggers);
        }
    }

    /**
     * Asks for a round before its regular time. Without jobs there is nothing to plan: the thread of the rounds is not
     * woken, so that events of nodes and queues take as long as in CapacityScheduler.
     */
    public void signal(RoundTrigger trigger) {
        if (hasJobs.getAsBoolean()) {
            wakeFor(trigger);
        }
    }

    private synchronized void wakeFor(RoundTrigger trigger) {
        triggers.add(trigger);
        notifyAll();
    }

    /** Asks for a plan refresh: a training job released a container. */
    public synchronized void released() {
        released = true;
        notifyAll();
    }

    /**
     * Waits until a step is due.
     *
     * @param clock milliseconds, never going back
     * @param inForce intervals; asked for again after each signal
     */
    synchronized Due await(Clock clock, Supplier<Times> inForce) throws InterruptedException {
        long started = clock.millis();
        long tookMillis = lastDueMillis == NEVER ? 0 : started - lastDueMillis;
        while (true) {
            Times times = inForce.get();
            long regularRefreshAt = started + times.refreshMillis();
            long now = clock.millis();
            long restedAt = started + times.pauseMillis(tookMillis);
            long regularRoundAt = lastRoundMillis + times.intervalMillis();
            long roundAt = triggers.isEmpty()
                    ? regularRoundAt
                    : Math.min(regularRoundAt, Math.max(restedAt, lastRoundMillis + times.gapMillis()));
            if (now >= roundAt) {
                lastRoundMillis = now;
                lastDueMillis = now;
                Due round = new Due(Step.ROUND, triggers);
                triggers.clear();
                released = false;
                return round;
            }
            long refreshAt = Math.max(restedAt, released ? lastDueMillis + times.refreshGapMillis() : regularRefreshAt);
            if (now >= refreshAt) {
                lastDueMillis = now;
                released = false;
                return new Due(Step.REFRESH, Set.of());
            }
            wait(Math.max(1, Math.min(roundAt, refreshAt) - now));
        }
    }

    /** A clock in milliseconds from any start; it never goes back. */
    @FunctionalInterface
    public interface Clock {
        long millis();
    }
}
