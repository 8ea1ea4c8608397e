package io.optimus.model.selection;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * One item after the other by value per part of the capacities that it takes, as long as it fits; or the most valuable item
 * alone, where that is worth more. For thousands of items: sorting is all its work.
 *
 * <p>Without a guarantee worth the name: an item that takes little of a scarce resource and much of a plentiful one is
 * taken for dear. {@link SubsetEnumeration} has one.
 */
public final class DensityGreedy implements SelectionSolver {
    @Override
    public Selection solve(SelectionProblem problem) {
        Selection selection = new Selection(problem);
        IntStream.range(0, problem.items())
                .boxed()
                .sorted(Comparator.comparingDouble(problem::density).reversed().thenComparing(item -> item))
                .forEach(selection::addIfItFits);
        return selection.orBetter(mostValuable(problem));
    }

    /** The one item of the largest value that fits at all; nothing where none does. */
    static Selection mostValuable(SelectionProblem problem) {
        Selection best = new Selection(problem);
        for (int item = 0; item < problem.items(); item++) {
            Selection alone = new Selection(problem);
            alone.addIfItFits(item);
            best = best.orBetter(alone);
        }
        return best;
    }
}
