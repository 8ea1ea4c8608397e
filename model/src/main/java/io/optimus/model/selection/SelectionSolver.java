package io.optimus.model.selection;

/** Solves a {@link SelectionProblem}; pure and deterministic. */
public interface SelectionSolver {
    /** A selection that stays within all capacities. */
    Selection solve(SelectionProblem problem);
}
