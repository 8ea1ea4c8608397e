package io.optimus.yarn.configuration;

import java.util.Locale;

/** What the scheduler does with its plans. */
public enum SchedulerMode {
    /** Jobs receive their directives, grants stay within the plan, and ignored shrinks are enforced. */
    ENFORCE,
    /** Plans are only computed and shown; every job sizes itself. */
    ADVISE,
    /** A plain CapacityScheduler: no service, no rounds. */
    OFF;

    /** The word of configuration, REST and the protocol: {@code enforce}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
