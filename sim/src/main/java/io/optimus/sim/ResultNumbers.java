package io.optimus.sim;

/** Numbers for people. */
final class ResultNumbers {
    private ResultNumbers() {}

    /** Without a point where it is whole. */
    static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < Long.MAX_VALUE
                ? Long.toString((long) number)
                : Double.toString(number);
    }
}
