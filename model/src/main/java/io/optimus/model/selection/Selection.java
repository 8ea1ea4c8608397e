package io.optimus.model.selection;

import java.util.BitSet;

/**
 * Items that were chosen of a {@link SelectionProblem}, with what is left beside them: grows item by item, each only where it has
 * room.
 */
public final class Selection {
    private final SelectionProblem problem;
    private final BitSet items = new BitSet();
    private final long[] left;
    private double value;

    /** Nothing yet. */
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

    /** Whether the item is in it now. */
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

    /** What is left of a capacity. */
    long left(int dimension) {
        return left[dimension];
    }

    /** Whether the item was chosen. */
    public boolean contains(int item) {
        return items.get(item);
    }

    /** Of all chosen items. */
    public double value() {
        return value;
    }

    /** The one of larger value, this where they are equal. */
    Selection orBetter(Selection other) {
        return other.value > value ? other : this;
    }

    @Override
    public String toString() {
        return items + " worth " + value;
    }
}
