package io.optimus.model.bound;

/**
 * The least that a job takes under any scheduler. The two minimums need not go together: most jobs are fastest on many tasks
 * and use the least resources on few.
 *
 * @param arrivalSeconds when it is submitted, finite
 * @param leastSeconds from its start to its end, on the size that is fastest, above 0 and finite
 * @param leastResourceSeconds amount of a resource held, times the seconds, on the size that holds least of it over all, 0
 *     or more and finite
 * @param meanSecondsToEnd least seconds to its end from where a part of {@code leastResourceSeconds} is done, in the mean over
 *     all parts, 0 or more: half of {@code leastSeconds} where all of it goes alike
 */
public record Work(double arrivalSeconds, double leastSeconds, double leastResourceSeconds, double meanSecondsToEnd) {
    /** A job whose work goes alike from beginning to end. */
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
            throw new IllegalArgumentException("A job takes more than 0 s and no less than nothing of a resource, got "
                    + leastSeconds + " s, " + leastResourceSeconds + ", from " + arrivalSeconds + " s on");
        }
    }
}
