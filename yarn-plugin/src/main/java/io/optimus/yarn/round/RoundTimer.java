package io.optimus.yarn.round;

import java.util.EnumSet;
import java.util.Set;

/**
 * When the next round is: every interval, and early when something happened, but never two within the gap.
 *
 * <p>Signals come from any thread, in no time and without an exception; they are kept until the next round.
 */
public final class RoundTimer {
    private final Set<RoundTrigger> happened = EnumSet.noneOf(RoundTrigger.class);
    private boolean released;
    /** Before any clock's time: the first round comes at once. */
    private long lastRoundMillis = Long.MIN_VALUE / 2;

    private long lastCallMillis = Long.MIN_VALUE / 2;

    /**
     * Intervals.
     *
     * @param intervalMillis between two regular rounds
     * @param gapMillis least between two rounds
     * @param lookAfterMillis longest without a look at the plan
     * @param lookAfterGapMillis least between two looks, however many containers end
     */
    record Times(long intervalMillis, long gapMillis, long lookAfterMillis, long lookAfterGapMillis) {}

    /** What to do now. */
    sealed interface Call {
        /**
         * A whole round.
         *
         * @param reasons why it is early; none: it is time
         */
        record WholeRound(Set<RoundTrigger> reasons) implements Call {
            public WholeRound {
                reasons = Set.copyOf(reasons);
            }
        }

        /** Somebody gave capacity back, or time went by: look after the plan that there is. */
        record LookAfter() implements Call {}
    }

    /** Something happened that is worth a round before its time. */
    public synchronized void signal(RoundTrigger reason) {
        happened.add(reason);
        notifyAll();
    }

    /** A training job gave a container back. */
    public synchronized void released() {
        released = true;
        notifyAll();
    }

    /**
     * Waits until there is something to do.
     *
     * @param clock milliseconds, never going back
     * @param times intervals
     */
    synchronized Call await(Clock clock, Times times) throws InterruptedException {
        long regularLookAt = clock.millis() + times.lookAfterMillis();
        while (true) {
            long now = clock.millis();
            long roundAt = lastRoundMillis + (happened.isEmpty() ? times.intervalMillis() : times.gapMillis());
            if (now >= roundAt) {
                lastRoundMillis = now;
                lastCallMillis = now;
                Call call = new Call.WholeRound(happened);
                happened.clear();
                released = false;
                return call;
            }
            long lookAt = released ? lastCallMillis + times.lookAfterGapMillis() : regularLookAt;
            if (now >= lookAt) {
                lastCallMillis = now;
                released = false;
                return new Call.LookAfter();
            }
            wait(Math.max(1, Math.min(roundAt, lookAt) - now));
        }
    }

    /** Milliseconds from any start, never going back. */
    @FunctionalInterface
    public interface Clock {
        /** Now. */
        long millis();
    }
}
