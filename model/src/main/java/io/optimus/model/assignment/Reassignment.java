package io.optimus.model.assignment;

import java.util.List;

/**
 * An assignment for a changed set of servers, and what has to move for it.
 *
 * @param assignment the new one
 * @param moves stretches of the flat vector that change their server, in its order
 */
public record Reassignment(ParameterAssignment assignment, List<ParameterMove> moves) {
    /** Copies. */
    public Reassignment {
        moves = List.copyOf(moves);
    }

    /** Floats that change their server. */
    public long movedFloats() {
        return moves.stream().mapToLong(ParameterMove::length).sum();
    }
}
