package io.optimus.am.engine;

import java.util.concurrent.TimeUnit;

/** Measures how long the current phase lasts. One thread enters phases, and any thread may ask. */
public final class ActivityClock {
    private volatile Since since = new Since(Activity.Phase.WAITING, 0);

    private record Since(Activity.Phase phase, long nanos) {}

    /** A phase begins, also if it is the same as before. */
    public void enter(Activity.Phase phase) {
        since = new Since(phase, System.nanoTime());
    }

    public Activity now() {
        Since entered = since;
        return entered.phase == Activity.Phase.WAITING
                ? Activity.WAITING
                : new Activity(entered.phase, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - entered.nanos));
    }
}
