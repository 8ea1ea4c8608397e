package io.optimus.model.selection;

import java.util.ArrayList;
import java.util.List;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/** The linear program in which further items beside the chosen ones can be taken in part; solved at a vertex. */
final class LinearRelaxation {
    /** Parts closer than this to 0 or 1 count as 0 or 1: the solver is more accurate, and decisions need less. */
    static final double TOLERANCE = 1e-6;

    static {
        // Otherwise the library prints a greeting when it is loaded.
        System.setProperty("shut.up.ojAlgo", "");
    }

    private final List<Variable> parts = new ArrayList<>();
    private final Optimisation.Result result;

    /** Each of the {@code open} items fits into the room that {@code selection} leaves. */
    LinearRelaxation(SelectionProblem problem, Selection selection, List<Integer> open) {
        ExpressionsBasedModel model = new ExpressionsBasedModel();
        for (int item : open) {
            parts.add(model.newVariable("item" + item).lower(0).upper(1).weight(problem.value(item)));
        }
        for (int dimension = 0; dimension < problem.dimensions(); dimension++) {
            long left = selection.left(dimension);
            // If nothing is left, open items weigh nothing.
            if (left > 0) {
                Expression limit = model.newExpression("capacity" + dimension).upper(1);
                for (int index = 0; index < open.size(); index++) {
                    limit.set(parts.get(index), (double) problem.weight(open.get(index), dimension) / left);
                }
            }
        }
        this.result = model.maximise();
    }

    /** The part of each open item, in their order, from 0 to 1. */
    double[] parts() {
        double[] solved = new double[parts.size()];
        for (int index = 0; index < solved.length; index++) {
            solved[index] = result.doubleValue(index);
        }
        return solved;
    }

    /** The value of those parts: no selection of open items is worth more. */
    double value() {
        return result.getValue();
    }
}
