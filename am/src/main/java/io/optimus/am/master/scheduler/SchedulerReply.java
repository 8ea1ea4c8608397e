package io.optimus.am.master.scheduler;

import io.optimus.am.master.plan.Directive;
import java.util.Optional;

/**
 * What the scheduler says to a registration or a report.
 *
 * @param mode {@code enforce}, {@code advise} or {@code off}
 * @param directive this job's part of the plan; empty while no plan covers it
 */
public record SchedulerReply(String mode, Optional<Directive> directive) {
    /** Whether the scheduler decides the job's size; otherwise the job does. */
    boolean enforced() {
        return mode.equalsIgnoreCase("enforce");
    }
}
