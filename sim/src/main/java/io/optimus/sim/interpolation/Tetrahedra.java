package io.optimus.sim.interpolation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A Delaunay triangulation in space: no point is inside the sphere through the corners of a tetrahedron.
 *
 * <p>Points are added one by one (Bowyer 1981, Watson 1981): the cells whose spheres contain the new point are removed, and the
 * point is joined to every face of the hole. Points of a grid often lie on a common sphere, so that the triangulation is not
 * unique. A point on a sphere always counts as outside, as if each point were lifted slightly higher than those before it.
 * With exact signs no cell is flat, and the same points in the same order give the same cells.
 */
final class Tetrahedra {
    private final List<GridPoint> points;
    private Cell last;

    /**
     * Triangulates {@code points}.
     *
     * @param points different points, not all in one plane
     */
    Tetrahedra(List<GridPoint> points) {
        this.points = List.copyOf(points);
        int[] first = firstCorners();
        last = firstCell(first);
        for (int point = 0; point < points.size(); point++) {
            if (point != first[0] && point != first[1] && point != first[2] && point != first[3]) {
                insert(point);
            }
        }
        last = last.outside() < 0 ? last : last.neighbour(last.outside());
    }

    /** Whether {@code points} span a volume. */
    static boolean canHold(List<GridPoint> points) {
        return corners(points).length == Cell.CORNERS;
    }

    private int[] firstCorners() {
        int[] corners = corners(points);
        if (corners.length < Cell.CORNERS) {
            throw new IllegalArgumentException(
                    "Four points that are not in one plane are needed, got " + points.size() + " points");
        }
        return corners;
    }

    /** Returns the indices of the first points that span a volume; fewer than four if none do. */
    private static int[] corners(List<GridPoint> points) {
        int[] corners = new int[Cell.CORNERS];
        int found = 0;
        for (int point = 0; point < points.size() && found < Cell.CORNERS; point++) {
            GridPoint next = points.get(point);
            boolean spans =
                    switch (found) {
                        case 0 -> true;
                        case 1 -> !next.equals(points.get(corners[0]));
                        case 2 -> !Geometry.collinear(points.get(corners[0]), points.get(corners[1]), next);
                        default -> Geometry.volume(
                                        points.get(corners[0]), points.get(corners[1]), points.get(corners[2]), next)
                                != 0;
                    };
            if (spans) {
                corners[found++] = point;
            }
        }
        return Arrays.copyOf(corners, found);
    }

    private Cell firstCell(int[] c) {
        boolean positive = Geometry.volume(points.get(c[0]), points.get(c[1]), points.get(c[2]), points.get(c[3])) > 0;
        Cell cell = positive ? new Cell(c) : new Cell(c[1], c[0], c[2], c[3]);
        List<Cell> outer = new ArrayList<>();
        for (int i = 0; i < Cell.CORNERS; i++) {
            outer.add(mirrored(cell.with(i, Cell.OUTSIDE)));
        }
        linkFirst(cell, outer);
        return cell;
    }

    /** Mirrors a cell: seen from outside, a face turns the other way round. */
    private static Cell mirrored(Cell cell) {
        return new Cell(cell.corner(1), cell.corner(0), cell.corner(2), cell.corner(3));
    }

    private static void linkFirst(Cell cell, List<Cell> outer) {
        for (int i = 0; i < Cell.CORNERS; i++) {
            Cell here = outer.get(i);
            cell.link(i, here, here.outside());
            for (int j = 0; j < Cell.CORNERS; j++) {
                if (j != i) {
                    here.link(swapped(j), outer.get(j), swapped(i));
                }
            }
        }
    }

    private static int swapped(int corner) {
        return corner < 2 ? 1 - corner : corner;
    }

    private void insert(int point) {
        GridPoint p = points.get(point);
        Set<Cell> hole = hole(p);
        Map<Long, Open> open = new HashMap<>();
        for (Cell old : hole) {
            for (int i = 0; i < Cell.CORNERS; i++) {
                if (!hole.contains(old.neighbour(i))) {
                    Cell made = old.with(i, point);
                    made.replaceBeside(i, old);
                    linkAround(made, i, open);
                    last = made;
                }
            }
        }
    }

    /** A face at the new point that waits for the cell on its other side. */
    private record Open(Cell cell, int face) {}

    private static void linkAround(Cell made, int newCorner, Map<Long, Open> open) {
        for (int face = 0; face < Cell.CORNERS; face++) {
            if (face != newCorner) {
                long edge = edge(made, newCorner, face);
                Open other = open.remove(edge);
                if (other == null) {
                    open.put(edge, new Open(made, face));
                } else {
                    made.link(face, other.cell(), other.face());
                }
            }
        }
    }

    /** Returns the two other corners of a face at the new corner, packed into one number. */
    private static long edge(Cell cell, int newCorner, int face) {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = 0; i < Cell.CORNERS; i++) {
            if (i != newCorner && i != face) {
                low = Math.min(low, cell.corner(i) + 1L);
                high = Math.max(high, cell.corner(i) + 1L);
            }
        }
        return low << Integer.SIZE | high;
    }

    /** Returns all cells to remove, searched by neighbours from the cell that contains p. */
    private Set<Cell> hole(GridPoint p) {
        Set<Cell> hole = new LinkedHashSet<>();
        Deque<Cell> next = new ArrayDeque<>();
        Cell start = walk(p);
        hole.add(start);
        next.add(start);
        while (!next.isEmpty()) {
            Cell cell = next.remove();
            for (int i = 0; i < Cell.CORNERS; i++) {
                Cell neighbour = cell.neighbour(i);
                if (!hole.contains(neighbour) && mustGo(neighbour, p)) {
                    hole.add(neighbour);
                    next.add(neighbour);
                }
            }
        }
        return hole;
    }

    /**
     * Whether p is in the sphere of {@code cell}. The sphere of an outer cell is the half space beyond its face, and
     * the disc in the circle around the face.
     */
    private boolean mustGo(Cell cell, GridPoint p) {
        int outside = cell.outside();
        if (outside < 0) {
            return Geometry.inSphere(at(cell, 0), at(cell, 1), at(cell, 2), at(cell, 3), p);
        }
        long beyond = volume(cell, outside, p);
        return beyond > 0 || (beyond == 0 && mustGo(cell.neighbour(outside), p));
    }

    GridPoint at(Cell cell, int i) {
        return points.get(cell.corner(i));
    }

    /** Returns six times the volume with p in place of the i-th corner; negative if p is beyond the opposite face. */
    long volume(Cell cell, int i, GridPoint p) {
        return Geometry.volume(
                i == 0 ? p : at(cell, 0), i == 1 ? p : at(cell, 1), i == 2 ? p : at(cell, 2), i == 3 ? p : at(cell, 3));
    }

    /** Returns the cell that contains p, or an outer cell if p is beyond the hull. */
    Cell find(GridPoint p) {
        return walk(p);
    }

    /** Walks from cell to cell through faces that p is beyond. In a Delaunay triangulation, the walk ends. */
    private Cell walk(GridPoint p) {
        Cell cell = last.outside() < 0 ? last : last.neighbour(last.outside());
        while (cell.outside() < 0) {
            int face = faceTowards(cell, p);
            if (face < 0) {
                return cell;
            }
            cell = cell.neighbour(face);
        }
        return cell;
    }

    private int faceTowards(Cell cell, GridPoint p) {
        for (int i = 0; i < Cell.CORNERS; i++) {
            if (volume(cell, i, p) < 0) {
                return i;
            }
        }
        return -1;
    }
}
