package io.optimus.model.selection;

/** A way to choose; pure and deterministic. */
public interface SelectionSolver {
    /** A selection that stays within all capacities. */
    Selection solve(SelectionProblem problem);
}
