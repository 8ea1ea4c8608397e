package io.optimus.yarn.soak;

import io.optimus.model.job.Placement;
import java.util.OptionalLong;

/** Observes the start of a job: how long it takes, and how often the nodes of its directives change before it runs. */
final class StartWatch {
    private OptionalLong registeredMillis = OptionalLong.empty();
    private OptionalLong runningMillis = OptionalLong.empty();
    private Placement last = Placement.NONE;
    private String reason = "";
    private int changes;

    void registered(long nowMillis) {
        if (registeredMillis.isEmpty()) {
            registeredMillis = OptionalLong.of(nowMillis);
        }
    }

    void directed(Placement target, String why) {
        reason = why;
        if (runningMillis.isEmpty() && !target.equals(last)) {
            if (!last.equals(Placement.NONE)) {
                changes++;
            }
            last = target;
        }
    }

    /** It holds its smallest size, all tasks of which are up. */
    void runs(long nowMillis) {
        if (runningMillis.isEmpty()) {
            runningMillis = OptionalLong.of(nowMillis);
        }
    }

    /** From its first registration until it ran; empty if it has not. */
    OptionalLong startMillis() {
        return runningMillis.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(runningMillis.getAsLong() - registeredMillis.orElseThrow());
    }

    /** How often its nodes changed before it ran. */
    int changes() {
        return changes;
    }

    /** Why it has its size, as the scheduler said last. */
    String reason() {
        return reason;
    }
}
