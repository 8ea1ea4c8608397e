package io.optimus.sim.interpolation;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

/**
 * A function through given points. It is linear on each tetrahedron of their Delaunay triangulation; beyond their hull,
 * it has the value of the nearest point. Axes are not scaled.
 *
 * <p>Example: with values 0 at (0,0,0) and 4 at (4,0,0), (0,4,0) and (0,0,4), the value at (1,1,1) is 3.
 *
 * <p>Immutable; safe for several threads.
 */
public final class LinearInterpolation {
    private final List<GridPoint> points;
    private final List<double[]> values;
    private final Tetrahedra tetrahedra;

    /**
     * Interpolates between these points.
     *
     * @param values the same number of values for each point; not all points are in one plane. If eight neighbours lie
     *     on one sphere, as in a grid, the order of the map decides between the possible diagonals
     */
    public LinearInterpolation(NavigableMap<GridPoint, double[]> values) {
        this.points = List.copyOf(values.keySet());
        this.values = values.values().stream().map(double[]::clone).toList();
        this.tetrahedra = new Tetrahedra(points);
    }

    /** Whether a function through {@code points} exists: it needs four points that are not in one plane. */
    public static boolean isPossible(Iterable<GridPoint> points) {
        List<GridPoint> list = new ArrayList<>();
        points.forEach(list::add);
        return Tetrahedra.canHold(list);
    }

    /** Returns the values at a point, in a new array. */
    public double[] at(GridPoint p) {
        Cell cell = tetrahedra.find(p);
        if (cell.outside() >= 0) {
            return values.get(nearest(p)).clone();
        }
        double[] parts = new double[Cell.CORNERS];
        double whole = 0;
        for (int i = 0; i < Cell.CORNERS; i++) {
            parts[i] = tetrahedra.volume(cell, i, p);
            whole += parts[i];
        }
        double[] result = new double[values.get(0).length];
        for (int i = 0; i < Cell.CORNERS; i++) {
            double[] corner = values.get(cell.corner(i));
            for (int value = 0; value < result.length; value++) {
                result[value] += parts[i] / whole * corner[value];
            }
        }
        return result;
    }

    /** Returns the nearest point, or the first of several. */
    private int nearest(GridPoint p) {
        int nearest = 0;
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).squaredDistance(p) < points.get(nearest).squaredDistance(p)) {
                nearest = i;
            }
        }
        return nearest;
    }
}
