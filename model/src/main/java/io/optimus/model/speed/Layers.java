package io.optimus.model.speed;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * The layers of a network, first to last: which part of the computation and which part of the parameters each has. Immutable.
 */
public final class Layers {
    /** Part of the computation of the layers from i to the last. */
    private final double[] computedFrom;

    /** Part of the bytes of the layers from the first to i. */
    private final double[] bytesUpTo;

    private Layers(double[] computedFrom, double[] bytesUpTo) {
        this.computedFrom = computedFrom;
        this.bytesUpTo = bytesUpTo;
    }

    /**
     * Of layers in forward order.
     *
     * @param compute what each costs, in any unit, 0 or more, together above 0 and finite
     * @param bytes parameters of each, in any unit, 0 or more, together above 0 and finite
     */
    public static Layers of(double[] compute, double[] bytes) {
        if (compute.length != bytes.length) {
            throw new IllegalArgumentException("Every layer has a cost and a size, got " + compute.length
                    + " costs and " + bytes.length + " sizes");
        }
        double allCompute = checkedSum("cost", compute);
        double allBytes = checkedSum("size", bytes);
        double[] computedFrom = new double[compute.length];
        double[] bytesUpTo = new double[bytes.length];
        double sum = 0;
        for (int i = compute.length - 1; i >= 0; i--) {
            sum += compute[i] / allCompute;
            computedFrom[i] = sum;
        }
        sum = 0;
        for (int i = 0; i < bytes.length; i++) {
            sum += bytes[i] / allBytes;
            bytesUpTo[i] = sum;
        }
        return new Layers(computedFrom, bytesUpTo);
    }

    private static double checkedSum(String what, double[] numbers) {
        double sum = DoubleStream.of(numbers).sum();
        if (!(sum > 0 && sum < Double.POSITIVE_INFINITY)
                || DoubleStream.of(numbers).anyMatch(number -> number < 0)) {
            throw new IllegalArgumentException(
                    "The " + what + " of a layer is 0 or more, and not all are 0; together they are " + sum);
        }
        return sum;
    }

    /** How many there are, 1 or more. */
    public int count() {
        return computedFrom.length;
    }

    /**
     * The layer, from 0, that the end of a step waits for: computed without a break from the last one down to it, sent
     * without a break from it down to the first.
     *
     * @param backwardSeconds of all layers
     * @param transferSeconds of all parameters
     */
    int critical(double backwardSeconds, double transferSeconds) {
        int critical = 0;
        double longest = -1;
        for (int i = 0; i < computedFrom.length; i++) {
            double seconds = computedFrom[i] * backwardSeconds + bytesUpTo[i] * transferSeconds;
            if (seconds > longest) {
                longest = seconds;
                critical = i;
            }
        }
        return critical;
    }

    /** Part of the backward pass that is done when {@code layer} is. */
    double computedFrom(int layer) {
        return computedFrom[layer];
    }

    /** Part of the bytes that are sent from {@code layer} on, down to the first. */
    double bytesUpTo(int layer) {
        return bytesUpTo[layer];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Layers layers
                && Arrays.equals(computedFrom, layers.computedFrom)
                && Arrays.equals(bytesUpTo, layers.bytesUpTo);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(computedFrom) + Arrays.hashCode(bytesUpTo);
    }

    @Override
    public String toString() {
        return count() + " layers";
    }
}
