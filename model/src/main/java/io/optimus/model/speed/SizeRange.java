package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.Collection;

/**
 * The sizes that a job can run on: every number of each role between two allocations.
 *
 * @param minimum the smallest, at least one task of each role
 * @param maximum the largest, neither role smaller than in {@code minimum}
 */
public record SizeRange(Allocation minimum, Allocation maximum) {
    /** Refuses an empty range and one without a task of each role. */
    public SizeRange {
        if (minimum.parameterServers() < 1 || minimum.workers() < 1 || !minimum.isWithin(maximum)) {
            throw new IllegalArgumentException(
                    "A range of sizes wants at least 1 ps + 1 worker up to as many or more, got " + minimum + " to "
                            + maximum);
        }
    }

    /** How many numbers of parameter servers there are, 1 or more. */
    int serverCounts() {
        return maximum.parameterServers() - minimum.parameterServers() + 1;
    }

    /** How many numbers of workers there are, 1 or more. */
    int workerCounts() {
        return maximum.workers() - minimum.workers() + 1;
    }

    /** Whether {@code allocation} is one of the sizes. */
    public boolean contains(Allocation allocation) {
        return minimum.isWithin(allocation) && allocation.isWithin(maximum);
    }

    /** Twice as many tasks of each role as the most that ran, within the range. */
    Allocation next(Collection<Allocation> ran) {
        Allocation most = ran.stream().reduce(minimum, Allocation::max);
        return most.plus(most).min(maximum);
    }
}
