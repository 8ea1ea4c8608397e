package io.optimus.model.bound;

/**
 * The least that a job takes under any scheduler. The two minimums need not go together: most jobs are fastest on many tasks
 * and use the least resources on few.
 *
 * @param arrivalSeconds when it is submitted, finite
 * @param leastSeconds from its start to its end on its fastest size, above 0 and finite
 * @param leastResourceSeconds amount of a resource times the seconds that it is held, on the size where this is least, 0 or
 *     more and finite
 * @param meanSecondsToEnd least seconds to its end, averaged over all points of {@code leastResourceSeconds}, 0 or more: half
 *     of {@code leastSeconds} if its work is uniform
 */
public record Work(double arrivalSeconds, double leastSeconds, double leastResourceSeconds, double meanSecondsToEnd) {
    /** A job whose work is uniform from beginning to end. */
    public Work(double arrivalSeconds, double leastSeconds, double leastResourceSeconds) {
        this(arrivalSeconds, leastSeconds, leastResourceSeconds, leastSeconds / 2);
    }

    /** Throws if a figure is not finite or out of range. */
    public Work {
        boolean finite = Double.isFinite(arrivalSeconds)
                && Double.isFinite(leastSeconds)
                && Double.isFinite(leastResourceSeconds)
                && Double.isFinite(meanSecondsToEnd);
        if (!finite || leastSeconds <= 0 || leastResourceSeconds < 0 || meanSecondsToEnd < 0) {
            throw new IllegalArgumentException("A job needs more than 0 s and 0 or more resource-seconds, got "
                    + leastSeconds + " s, " + leastResourceSeconds + ", from " + arrivalSeconds + " s on");
        }
    }
}
