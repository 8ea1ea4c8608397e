package io.optimus.model.speed;

/**
 * Mean and standard error of repeated measurements, each counting by the time that it took; old ones fade.
 *
 * <p>Example: 10 over 30 s and 20 over 10 s have the mean 12.5.
 *
 * @param value the mean
 * @param seconds that it rests on, up to {@value #MEMORY_SECONDS}
 * @param variance of single measurements, relative to the mean
 * @param concentration Σ of squared shares: one over the number of equal measurements that the mean is worth
 */
record RunningMean(double value, double seconds, double variance, double concentration) {
    /** Ten minutes: the interval of the paper's rounds; a speed that changed for good wins within two of them. */
    static final double MEMORY_SECONDS = 600;

    /** Expected of a single measurement before there are repeats: 5 %, as live jobs show from window to window. */
    private static final double EXPECTED_VARIANCE = 0.05 * 0.05;

    /** Of the first measurement. */
    static RunningMean of(double value, double seconds) {
        return new RunningMean(value, Math.min(MEMORY_SECONDS, seconds), EXPECTED_VARIANCE, 1);
    }

    /** With another one of {@code other} over {@code otherSeconds}. */
    RunningMean with(double other, double otherSeconds) {
        double counted = Math.min(MEMORY_SECONDS, otherSeconds);
        double together = seconds + counted;
        double share = counted / together;
        double merged = value * (1 - share) + other * share;
        double relative = (other - value) / merged;
        return new RunningMean(
                merged,
                Math.min(MEMORY_SECONDS, together),
                (1 - share) * (variance + share * relative * relative),
                (1 - share) * (1 - share) * concentration + share * share);
    }

    /** Of the mean, relative to it. */
    double standardError() {
        return Math.sqrt(variance * concentration);
    }
}
