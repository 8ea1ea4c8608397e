package io.optimus.am.engine;

import java.util.concurrent.TimeUnit;

/** Measures how long the current phase lasts, and each phase in all. One thread enters phases, and any thread may ask. */
public final class ActivityClock {
    private volatile Since since = new Since(Activity.Phase.WAITING, 0, 0, 0);

    private record Since(Activity.Phase phase, long nanos, long steppingNanos, long betweenEpochsNanos) {}

    /** A phase begins, also if it is the same as before. */
    public void enter(Activity.Phase phase) {
        enter(phase, System.nanoTime());
    }

    /** A phase began at {@code nanos}, by the clock of {@link System#nanoTime()}. */
    public void enter(Activity.Phase phase, long nanos) {
        Since last = since;
        long passed = nanos - last.nanos;
        since = new Since(
                phase,
                nanos,
                last.steppingNanos + (last.phase == Activity.Phase.STEPPING ? passed : 0),
                last.betweenEpochsNanos + (last.phase == Activity.Phase.BETWEEN_EPOCHS ? passed : 0));
    }

    public Activity now() {
        Since entered = since;
        return entered.phase == Activity.Phase.WAITING
                ? Activity.WAITING
                : new Activity(entered.phase, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - entered.nanos));
    }

    /** The time in all {@link Activity.Phase#STEPPING} phases that have ended. */
    public long steppingNanos() {
        return since.steppingNanos;
    }

    /** The time in all {@link Activity.Phase#BETWEEN_EPOCHS} phases that have ended. */
    public long betweenEpochsNanos() {
        return since.betweenEpochsNanos;
    }
}
