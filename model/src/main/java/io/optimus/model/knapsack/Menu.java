package io.optimus.model.knapsack;

/** Options of which at most one may be taken, one of them perhaps already. To take none is worth 0 and costs nothing. */
public final class Menu {
    private final double[] values;
    private final long[][] amounts;
    private final int present;

    /** Of which none is taken at present; else as {@link #Menu(double[], long[][], int)}. */
    public Menu(double[] values, long[][] amounts) {
        this(values, amounts, Knapsack.NONE);
    }

    /**
     * Owns the arrays.
     *
     * @param values of the options, finite; those not above 0 are never taken
     * @param amounts that each option takes of each resource, 0 or more
     * @param present the option that is taken at present, or {@link Knapsack#NONE}
     */
    public Menu(double[] values, long[][] amounts, int present) {
        if (values.length != amounts.length) {
            throw new IllegalArgumentException(
                    "Every option has a value and amounts, got " + values.length + " and " + amounts.length);
        }
        this.values = values;
        this.amounts = amounts;
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

    /** What an option takes of a resource. */
    long amount(int option, int axis) {
        return amounts[option][axis];
    }
}
