package io.optimus.sim.interpolation;

import org.jspecify.annotations.Nullable;

/**
 * A tetrahedron of a triangulation, with its four neighbours; the i-th shares all corners but the i-th.
 *
 * <p>Beyond each face of the hull is a cell with the {@link #OUTSIDE} for a corner, so that every cell has four neighbours.
 */
final class Cell {
    /** Stands for a point that is infinitely far away. */
    static final int OUTSIDE = -1;

    static final int CORNERS = 4;

    private final int[] corners;
    private final @Nullable Cell[] neighbours = new @Nullable Cell[CORNERS];

    /** Takes indices of points; its volume is positive. */
    Cell(int... corners) {
        this.corners = corners;
    }

    int corner(int i) {
        return corners[i];
    }

    /** Which of the corners is the {@link #OUTSIDE}, -1 for none. */
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

    /** The same with another point for the i-th corner, without neighbours. */
    Cell with(int i, int point) {
        int[] changed = corners.clone();
        changed[i] = point;
        return new Cell(changed);
    }

    /** Makes {@code other} the i-th neighbour, in place of {@code old} on the other's side. */
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
