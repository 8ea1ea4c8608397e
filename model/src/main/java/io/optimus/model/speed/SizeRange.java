package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The sizes that a job can run on: every number of each role between two allocations.
 *
 * @param minimum the smallest, at least one task of each role
 * @param maximum the largest, neither role smaller than in {@code minimum}
 */
public record SizeRange(Allocation minimum, Allocation maximum) {
    /**
     * The grid has every number up to this many more than the fewest; above, each number is about 1.5 times the one
     * before.
     */
    private static final int CLOSE = 8;

    /** Throws if the range is empty or allows no task of a role. */
    public SizeRange {
        if (minimum.parameterServers() < 1 || minimum.workers() < 1 || !minimum.isWithin(maximum)) {
            throw new IllegalArgumentException(
                    "A range of sizes begins with 1 ps + 1 worker or more and ends with as many or more, got " + minimum
                            + " to " + maximum);
        }
    }

    /** The number of possible counts of parameter servers, 1 or more. */
    int serverCounts() {
        return maximum.parameterServers() - minimum.parameterServers() + 1;
    }

    /** The number of possible counts of workers, 1 or more. */
    int workerCounts() {
        return maximum.workers() - minimum.workers() + 1;
    }

    public boolean contains(Allocation allocation) {
        return minimum.isWithin(allocation) && allocation.isWithin(maximum);
    }

    /** The sizes to learn from, in order of allocations: neighbours differ enough to be worth measuring. */
    public SortedSet<Allocation> grid() {
        SortedSet<Allocation> grid = new TreeSet<>();
        for (int p : counts(minimum.parameterServers(), maximum.parameterServers())) {
            for (int w : counts(minimum.workers(), maximum.workers())) {
                grid.add(new Allocation(p, w));
            }
        }
        return grid;
    }

    private static SortedSet<Integer> counts(int min, int max) {
        SortedSet<Integer> counts = new TreeSet<>();
        for (long count = min; count < max; count = count < min + (long) CLOSE ? count + 1 : count + count / 2) {
            counts.add((int) count);
        }
        counts.add(max);
        return counts;
    }

    /** Twice as many tasks of each role as the most that ran, within the range. */
    Allocation next(Collection<Allocation> ran) {
        Allocation most = ran.stream().reduce(minimum, Allocation::max);
        return most.plus(most).min(maximum);
    }
}
