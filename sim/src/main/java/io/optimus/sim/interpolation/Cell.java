package io.optimus.sim.interpolation;

import org.jspecify.annotations.Nullable;

/**
 * A tetrahedron of a triangulation, with its four neighbours; the i-th neighbour shares all corners but the i-th.
 *
 * <p>Beyond each face of the hull is a cell with {@link #OUTSIDE} as a corner, so that every cell has four neighbours.
 */
final class Cell {
    /** Stands for a point that is infinitely far away. */
    static final int OUTSIDE = -1;

    static final int CORNERS = 4;

    private final int[] corners;
    private final @Nullable Cell[] neighbours = new @Nullable Cell[CORNERS];

    /** Takes the indices of four points that span a positive volume. */
    Cell(int... corners) {
        this.corners = corners;
    }

    int corner(int i) {
        return corners[i];
    }

    /** The position of {@link #OUTSIDE} among the corners; -1 if none is outside. */
    int outside() {
        return indexOf(OUTSIDE);
    }

    private int indexOf(int point) {
        for (int i = 0; i < CORNERS; i++) {
            if (corners[i] == point) {
                return i;
            }
        }
        return -1;
    }

    Cell neighbour(int i) {
        Cell neighbour = neighbours[i];
        if (neighbour == null) {
            throw new IllegalStateException("A face of a cell was left open");
        }
        return neighbour;
    }

    /** Returns the same cell with another point as the i-th corner, and without neighbours. */
    Cell with(int i, int point) {
        int[] changed = corners.clone();
        changed[i] = point;
        return new Cell(changed);
    }

    /** Takes over the i-th neighbour of {@code old}, also on that neighbour's side. */
    void replaceBeside(int i, Cell old) {
        Cell other = old.neighbour(i);
        neighbours[i] = other;
        for (int j = 0; j < CORNERS; j++) {
            if (other.neighbours[j] == old) {
                other.neighbours[j] = this;
            }
        }
    }

    void link(int i, Cell other, int j) {
        neighbours[i] = other;
        other.neighbours[j] = this;
    }
}
