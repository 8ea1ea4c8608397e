package io.optimus.hadooptests;

import java.util.Locale;

/** Which scheduler a test runs on. */
enum Side {
    STOCK(SchedulerReplacement.CAPACITY_SCHEDULER),
    OPTIMUS("io.optimus.yarn.OptimusScheduler");

    private final String schedulerClass;

    Side(String schedulerClass) {
        this.schedulerClass = schedulerClass;
    }

    String schedulerClass() {
        return schedulerClass;
    }

    /** The name in file names. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
