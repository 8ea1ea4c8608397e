package io.optimus.sls;

import io.optimus.sls.measure.MeasuredCapacityScheduler;
import io.optimus.sls.measure.MeasuredOptimusScheduler;
import io.optimus.sls.measure.MeasuredScheduler;
import java.util.Locale;

/** The two schedulers that are compared. */
enum Side {
    STOCK(MeasuredCapacityScheduler.class),
    OURS(MeasuredOptimusScheduler.class);

    private final Class<? extends MeasuredScheduler> scheduler;

    Side(Class<? extends MeasuredScheduler> scheduler) {
        this.scheduler = scheduler;
    }

    String schedulerClass() {
        return scheduler.getName();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
