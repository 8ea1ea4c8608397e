package io.optimus.yarn.metrics;

import java.util.Locale;

/** A step of a round, in the order in which they run. What a round does besides takes no time worth a figure. */
public enum RoundStep {
    /** Copies what the jobs have reported. */
    COLLECT,
    /** Copies the cluster. */
    SNAPSHOT,
    /** Fits loss curves and speeds. */
    FIT,
    /** Decides on sizes. */
    ALLOCATE,
    /** Places tasks on nodes. */
    PLACE,
    /** Publishes the plan and enforces shrinks. */
    PUBLISH;

    /** The word of metrics and of the log: {@code collect}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
