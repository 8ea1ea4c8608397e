package io.optimus.model.knapsack;

/** Options of which at most one may be taken. To take none is worth 0 and costs nothing. */
public final class Menu {
    private final double[] values;
    private final long[][] amounts;

    /**
     * Owns the arrays.
     *
     * @param values of the options, finite; those not above 0 are never taken
     * @param amounts that each option takes of each resource, 0 or more
     */
    public Menu(double[] values, long[][] amounts) {
        if (values.length != amounts.length) {
            throw new IllegalArgumentException(
                    "Every option has a value and amounts, got " + values.length + " and " + amounts.length);
        }
        this.values = values;
        this.amounts = amounts;
    }

    /** How many options there are. */
    public int size() {
        return values.length;
    }

    /** Worth of an option. */
    public double value(int option) {
        return values[option];
    }

    /** What an option takes of a resource. */
    long amount(int option, int axis) {
        return amounts[option][axis];
    }
}
