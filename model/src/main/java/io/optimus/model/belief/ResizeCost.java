package io.optimus.model.belief;

import java.util.List;

/** The expected cost of a job's next resize: the mean pause of its last resizes. */
public final class ResizeCost {
    /** Earlier resizes do not count, because caches were cold. */
    private static final int COUNTED = 8;

    private static final double MILLIS = 1000;

    private ResizeCost() {}

    /**
     * The expected seconds without a step.
     *
     * @param pauseMillis pauses of the job's resizes, oldest first
     * @param assumedMillis the cost if the job was not resized yet
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
