package io.optimus.model.selection;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Takes items by value per part of the capacities while they fit, or the most valuable item alone if that is worth more. It
 * sorts the items once, so that it suits thousands of them.
 *
 * <p>It has no useful guarantee, because an item that takes little of a scarce resource and much of a plentiful one counts as
 * expensive. {@link SubsetEnumeration} has a guarantee.
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

    /** The item of the largest value that fits; nothing if none does. */
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
