package io.optimus.sim;

import java.util.Optional;

/** Numbers for people. */
final class OptionRanges {
    private OptionRanges() {}

    /** Without a point where it is whole. */
    static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < Long.MAX_VALUE
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    /** What is wrong with an option's value, if it is not from {@code least} to {@code most}. */
    static Optional<String> outside(String option, double value, double least, double most) {
        return value >= least && value <= most
                ? Optional.empty()
                : Optional.of(option + " is from " + plain(least) + " to " + plain(most) + ", got " + plain(value));
    }
}
