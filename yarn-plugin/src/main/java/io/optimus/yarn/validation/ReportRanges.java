package io.optimus.yarn.validation;

/** The ranges of numbers in reports: wide enough for any real job, narrow enough that sums and squares stay finite. */
public final class ReportRanges {
    /** Limit of steps, samples, seconds and of a resource for all tasks of a role: 2^50, which is exact as a double. */
    static final long LARGEST_COUNT = 1L << 50;

    private static final double LARGEST_LOSS = 1e15;
    private static final double FASTEST_STEPS_PER_SECOND = 1e9;
    private static final double LONGEST_SECONDS = 1e9;
    /** The square root of the largest double: sums of such squared norms stay finite. */
    private static final double LARGEST_SQUARE = 1e150;

    private static final long LONGEST_PAUSE_MILLIS = 24L * 3600 * 1000;

    private ReportRanges() {}

    public static boolean loss(double loss) {
        return Math.abs(loss) <= LARGEST_LOSS;
    }

    /** The part of held-out samples that a model gets right. */
    public static boolean accuracy(double accuracy) {
        return accuracy >= 0 && accuracy <= 1;
    }

    /** A squared norm or a variance of gradients. */
    static boolean square(double square) {
        return square >= 0 && square <= LARGEST_SQUARE;
    }

    static boolean step(long step) {
        return step >= 0 && step <= LARGEST_COUNT;
    }

    static boolean stepsPerEpoch(double steps) {
        return steps > 0 && steps <= LARGEST_COUNT;
    }

    static boolean epoch(double epoch) {
        return epoch >= 0 && epoch <= LARGEST_COUNT;
    }

    static boolean stepsPerSecond(double speed) {
        return speed > 0 && speed <= FASTEST_STEPS_PER_SECOND;
    }

    /** The rate of a task, which is 0 before its first step. */
    static boolean rate(double stepsPerSecond) {
        return stepsPerSecond == 0 || stepsPerSecond(stepsPerSecond);
    }

    static boolean seconds(double seconds) {
        return seconds > 0 && seconds <= LONGEST_SECONDS;
    }

    static boolean pauseMillis(long millis) {
        return millis >= 0 && millis <= LONGEST_PAUSE_MILLIS;
    }
}
