package io.optimus.yarn.jobs;

import java.util.Locale;

/** Where a job is in its life. */
public enum JobState {
    /** Registered, and holds no task. */
    WAITING,
    /** Holds tasks. */
    RUNNING,
    /** Said that it ended; its application is still there. */
    FINISHED;

    /** As pages and REST write it: {@code running}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
