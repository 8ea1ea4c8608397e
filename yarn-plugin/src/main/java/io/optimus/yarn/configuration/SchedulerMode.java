package io.optimus.yarn.configuration;

import java.util.Locale;

/** What the scheduler does with its plans. */
public enum SchedulerMode {
    /** Jobs receive their directives; grants are held to the plan; ignored shrinks are carried out. */
    ENFORCE,
    /** Plans are computed and shown, nothing else; every job sizes itself. */
    ADVISE,
    /** A plain CapacityScheduler: no service, no rounds. */
    OFF;

    /** As configuration, pages and the protocol write it: {@code enforce}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
