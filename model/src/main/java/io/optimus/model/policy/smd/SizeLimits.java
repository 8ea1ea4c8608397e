package io.optimus.model.policy.smd;

import io.optimus.model.Allocation;
import java.util.function.Predicate;

/**
 * Sizes that a job may have.
 *
 * @param least fewest tasks of each role, at least one worker
 * @param most most tasks of each role, {@code least} or more
 * @param room whether a size has room; whatever is within one that has, has room too
 */
public record SizeLimits(Allocation least, Allocation most, Predicate<Allocation> room) {
    /** Refuses an empty range. */
    public SizeLimits {
        if (!least.isWithin(most) || least.workers() < 1) {
            throw new IllegalArgumentException(
                    "Sizes range from one worker or more to no less than that, got " + least + " to " + most);
        }
    }
}
