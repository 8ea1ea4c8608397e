package io.optimus.model.belief;

import java.util.List;

/** What a job's next resize is taken to cost: the mean pause of its last ones. */
public final class ResizeCost {
    /** Early ones (cold caches) are forgotten. */
    private static final int COUNTED = 8;

    private static final double MILLIS = 1000;

    private ResizeCost() {}

    /**
     * Seconds without a step.
     *
     * @param pauseMillis of the job's resizes, oldest first
     * @param assumedMillis where there was none yet
     */
    public static double seconds(List<Long> pauseMillis, long assumedMillis) {
        return pauseMillis.stream()
                        .skip(Math.max(0, pauseMillis.size() - COUNTED))
                        .mapToLong(Long::longValue)
                        .average()
                        .orElse((double) assumedMillis)
                / MILLIS;
    }
}
