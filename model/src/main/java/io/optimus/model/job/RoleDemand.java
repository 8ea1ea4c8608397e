package io.optimus.model.job;

import io.optimus.model.cluster.Resources;

/**
 * The tasks of one role that a job wants.
 *
 * @param task resources of one task
 * @param min fewest tasks that the job can run with, 1 or more; 0 for a role that it does not have
 * @param max most tasks that it can use, {@code min} or more; 0 for a role that it does not have
 */
public record RoleDemand(Resources task, int min, int max) {
    /** The demand of a role that the job does not have. */
    public static final RoleDemand NONE = new RoleDemand(Resources.NONE, 0, 0);

    /** Throws if the range is empty. */
    public RoleDemand {
        boolean absent = min == 0 && max == 0;
        if (!absent && (min < 1 || max < min)) {
            throw new IllegalArgumentException(
                    "A role wants 1 <= min <= max, or none of both, got min=" + min + " max=" + max);
        }
    }
}
