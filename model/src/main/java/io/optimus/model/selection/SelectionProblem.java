package io.optimus.model.selection;

/**
 * The 0/1 multi-dimensional knapsack: choose items with the largest sum of values whose weights stay within every capacity.
 *
 * <p>Example: capacities 4 GPUs and 8 cores; A is worth 5 and weighs 4 and 1, B and C are worth 3 each and weigh 2 and 4. B
 * and C are best: 6, with all GPUs and cores.
 */
public final class SelectionProblem {
    private final double[] values;
    private final long[][] weights;
    private final long[] capacities;

    /**
     * Throws if a value or a weight is out of range.
     *
     * @param values by item, 0 or more and finite
     * @param weights by item, then in the order of the capacities, 0 or more
     * @param capacities 0 or more
     */
    public SelectionProblem(double[] values, long[][] weights, long[] capacities) {
        this.values = values.clone();
        this.weights = new long[weights.length][];
        this.capacities = capacities.clone();
        if (values.length != weights.length) {
            throw new IllegalArgumentException(
                    "Every item needs a value and weights, got " + values.length + " and " + weights.length);
        }
        for (int item = 0; item < values.length; item++) {
            this.weights[item] = weights[item].clone();
            check(item);
        }
        for (long capacity : capacities) {
            if (capacity < 0) {
                throw new IllegalArgumentException("A capacity must be 0 or more, got " + capacity);
            }
        }
    }

    private void check(int item) {
        if (!(values[item] >= 0 && values[item] < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("A value must be 0 or more and finite, got " + values[item]);
        }
        if (weights[item].length != capacities.length) {
            throw new IllegalArgumentException("Item " + item + " has " + weights[item].length + " weights for "
                    + capacities.length + " capacities");
        }
        for (long weight : weights[item]) {
            if (weight < 0) {
                throw new IllegalArgumentException("A weight must be 0 or more, got " + weight);
            }
        }
    }

    public int items() {
        return values.length;
    }

    /** The number of capacities: the problem's dimensions. */
    public int dimensions() {
        return capacities.length;
    }

    public double value(int item) {
        return values[item];
    }

    public long weight(int item, int dimension) {
        return weights[item][dimension];
    }

    public long capacity(int dimension) {
        return capacities[dimension];
    }

    /** The value over the sum of the parts that the item takes of the capacities; infinite if it takes nothing. */
    double density(int item) {
        double parts = 0;
        for (int dimension = 0; dimension < capacities.length; dimension++) {
            long weight = weights[item][dimension];
            parts += weight == 0 ? 0 : (double) weight / capacities[dimension];
        }
        return parts == 0 ? Double.POSITIVE_INFINITY : values[item] / parts;
    }
}
