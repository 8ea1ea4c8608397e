package io.optimus.model.selection;

import java.util.BitSet;

/** The chosen items of a {@link SelectionProblem} and the capacities that they leave. It grows item by item while they fit. */
public final class Selection {
    private final SelectionProblem problem;
    private final BitSet items = new BitSet();
    private final long[] left;
    private double value;

    Selection(SelectionProblem problem) {
        this.problem = problem;
        this.left = new long[problem.dimensions()];
        for (int dimension = 0; dimension < left.length; dimension++) {
            left[dimension] = problem.capacity(dimension);
        }
    }

    Selection copy() {
        Selection copy = new Selection(problem);
        items.stream().forEach(copy::addIfItFits);
        return copy;
    }

    /** Adds the item if it fits. Returns whether it was added. */
    boolean addIfItFits(int item) {
        for (int dimension = 0; dimension < left.length; dimension++) {
            if (problem.weight(item, dimension) > left[dimension]) {
                return false;
            }
        }
        for (int dimension = 0; dimension < left.length; dimension++) {
            left[dimension] -= problem.weight(item, dimension);
        }
        items.set(item);
        value += problem.value(item);
        return true;
    }

    long left(int dimension) {
        return left[dimension];
    }

    public boolean contains(int item) {
        return items.get(item);
    }

    public double value() {
        return value;
    }

    /** The selection of larger value; this one if they are equal. */
    Selection orBetter(Selection other) {
        return other.value > value ? other : this;
    }

    @Override
    public String toString() {
        return items + " worth " + value;
    }
}
