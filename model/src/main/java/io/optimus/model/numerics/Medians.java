package io.optimus.model.numerics;

import java.util.Arrays;

/**
 * Medians of numbers in any order. An even count has two middle numbers, and a caller chooses one of them or their mean.
 *
 * <p>Example: of 4, 1, 3, 2 the upper median is 3, the lower one 2, and the mean of both 2.5.
 *
 * <p>Commons Math's {@code Percentile} interpolates between the two or takes the lower one; no estimation type gives the upper.
 */
public final class Medians {
    private Medians() {}

    /** The middle one of one or more {@code values}; for an even count, the larger of the two in the middle. */
    public static double upper(double[] values) {
        return sorted(values)[values.length / 2];
    }

    /** The upper median, or {@code whereEmpty} where there are no values. */
    public static double upper(double[] values, double whereEmpty) {
        return values.length == 0 ? whereEmpty : upper(values);
    }

    /** The middle one of one or more {@code values}; for an even count, the smaller of the two in the middle. */
    public static double lower(double[] values) {
        return sorted(values)[(values.length - 1) / 2];
    }

    /** The mean of the lower and the upper median of {@code values}, one or more. */
    public static double mean(double[] values) {
        double[] sorted = sorted(values);
        return (sorted[(values.length - 1) / 2] + sorted[values.length / 2]) / 2;
    }

    private static double[] sorted(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("The median of no values is not defined, got an empty array");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
