package io.optimus.model.knapsack;

/** Options of which at most one may be taken, one of them perhaps already. To take none is worth 0 and costs nothing. */
public final class OptionSet {
    private final double[] values;
    /** One option after the other: rows of their own would lie all over the memory, and are read a million times. */
    private final long[] amounts;

    private final int axes;
    private final int present;

    /** Of which none is taken at present; else as {@link #OptionSet(double[], long[][], int)}. */
    public OptionSet(double[] values, long[][] amounts) {
        this(values, amounts, Knapsack.NONE);
    }

    /**
     * Owns the values.
     *
     * @param values of the options, finite; those not above 0 are never taken
     * @param amounts that each option takes of each resource, 0 or more
     * @param present the option that is taken at present, or {@link Knapsack#NONE}
     */
    public OptionSet(double[] values, long[][] amounts, int present) {
        if (values.length != amounts.length) {
            throw new IllegalArgumentException(
                    "Every option has a value and amounts, got " + values.length + " and " + amounts.length);
        }
        this.values = values;
        this.axes = amounts.length == 0 ? 0 : amounts[0].length;
        this.amounts = new long[amounts.length * axes];
        for (int option = 0; option < amounts.length; option++) {
            System.arraycopy(amounts[option], 0, this.amounts, option * axes, axes);
        }
        this.present = present;
    }

    /** How many options there are. */
    public int size() {
        return values.length;
    }

    /** Worth of an option. */
    public double value(int option) {
        return values[option];
    }

    /** The option that is taken at present, or {@link Knapsack#NONE}. */
    int present() {
        return present;
    }

    /** What an option takes of the resource of which it takes the largest part; infinite where there is none of it. */
    double share(int option, long[] capacity) {
        double share = 0;
        for (int axis = 0; axis < capacity.length; axis++) {
            long amount = amount(option, axis);
            if (amount > 0) {
                share = Math.max(
                        share, capacity[axis] <= 0 ? Double.POSITIVE_INFINITY : (double) amount / capacity[axis]);
            }
        }
        return share;
    }

    /** What an option takes of a resource. */
    long amount(int option, int axis) {
        return amounts[option * axes + axis];
    }
}
