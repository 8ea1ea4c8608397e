package io.optimus.model.policy;

import io.optimus.model.cluster.Resources;

/**
 * What a job wants of one role.
 *
 * @param task resources of one task
 * @param min fewest tasks that the job can run with, 1 or more
 * @param max most tasks that it can use, {@code min} or more
 */
public record RoleDemand(Resources task, int min, int max) {
    /** Refuses an empty range. */
    public RoleDemand {
        if (min < 1 || max < min) {
            throw new IllegalArgumentException("A role wants 1 <= min <= max, got min=" + min + " max=" + max);
        }
    }
}
