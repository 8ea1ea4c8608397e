package io.optimus.model.selection;

import io.optimus.model.InterruptedComputationException;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries every set of k items as the most valuable ones of the selection, and completes it by a linear program (Frieze and Clarke,
 * EJOR 1984; the bound with the best single item: Caprara, Kellerer, Pferschy and Pisinger, EJOR 2000).
 *
 * <p>For each set S of k items that fits, it solves the linear relaxation over the items outside S that are not more valuable
 * than the least valuable item of S, in the room that S leaves. At a vertex, at most R items are taken in part, with R the
 * number of capacities. These items stay out, and the room left is filled by density. Sets of fewer than k items count as
 * they are.
 *
 * <pre>value ≥ (1 − R/(k + R + 1)) · optimum, and so ≥ (1 − R/(k + 1)) · optimum</pre>
 *
 * <p>Proof: let S be the k most valuable items of an optimum of more than k items. Either S alone is worth k/(k+R+1) of the
 * optimum. Then the completion gets at least 1/(R+1) of the rest, because the relaxation is worth no more than what was
 * rounded down plus R items, each of which was tried alone. Or no item of the rest is worth 1/(k+R+1) of the optimum, and
 * rounding loses R of them.
 *
 * <p>It solves up to C(n, k) linear programs, so that it suits a dozen items.
 */
public final class SubsetEnumeration implements SelectionSolver {
    private final int size;

    /**
     * Throws if {@code size} is negative.
     *
     * @param size k, 0 or more: 3 guarantees a quarter of the optimum under three capacities, and reaches nearly all in
     *     practice
     */
    public SubsetEnumeration(int size) {
        if (size < 0) {
            throw new IllegalArgumentException("The size of a subset must be 0 or more, got " + size);
        }
        this.size = size;
    }

    @Override
    public Selection solve(SelectionProblem problem) {
        return extend(problem, new Selection(problem), new ArrayList<>());
    }

    /** The best selection that contains {@code subset}, and further items after its last one. */
    private Selection extend(SelectionProblem problem, Selection selection, List<Integer> subset) {
        if (subset.size() == size) {
            return complete(problem, selection, subset);
        }
        Selection best = selection;
        int next = subset.isEmpty() ? 0 : subset.get(subset.size() - 1) + 1;
        for (int item = next; item < problem.items(); item++) {
            InterruptedComputationException.check();
            Selection larger = selection.copy();
            if (larger.addIfItFits(item)) {
                subset.add(item);
                best = best.orBetter(extend(problem, larger, subset));
                subset.remove(subset.size() - 1);
            }
        }
        return best;
    }

    private static Selection complete(SelectionProblem problem, Selection selection, List<Integer> subset) {
        double most = subset.stream().mapToDouble(problem::value).min().orElse(Double.POSITIVE_INFINITY);
        List<Integer> open = new ArrayList<>();
        Selection withOneMore = selection;
        for (int item = 0; item < problem.items(); item++) {
            Selection larger = selection.copy();
            if (!selection.contains(item) && problem.value(item) <= most && larger.addIfItFits(item)) {
                open.add(item);
                withOneMore = withOneMore.orBetter(larger);
            }
        }
        return rounded(problem, selection, open).orBetter(withOneMore);
    }

    private static Selection rounded(SelectionProblem problem, Selection selection, List<Integer> open) {
        Selection rounded = selection.copy();
        double[] parts = new LinearRelaxation(problem, selection, open).parts();
        for (int index = 0; index < parts.length; index++) {
            if (parts[index] > 1 - LinearRelaxation.TOLERANCE) {
                rounded.addIfItFits(open.get(index));
            }
        }
        open.stream()
                .filter(item -> !rounded.contains(item))
                .sorted((a, b) -> Double.compare(problem.density(b), problem.density(a)))
                .forEach(rounded::addIfItFits);
        return rounded;
    }
}
