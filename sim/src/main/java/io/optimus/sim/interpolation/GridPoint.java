package io.optimus.sim.interpolation;

import java.util.Comparator;

/**
 * A point with whole coordinates from 0 to {@value #LARGEST}, so small that volumes are exact in a {@code long}.
 *
 * @param x first coordinate
 * @param y second coordinate
 * @param z third coordinate
 */
public record GridPoint(int x, int y, int z) implements Comparable<GridPoint> {
    /** The largest coordinate. With it, the sum of six products of three differences stays below 2^57. */
    public static final int LARGEST = 1 << 18;

    private static final Comparator<GridPoint> ORDER =
            Comparator.comparingInt(GridPoint::x).thenComparingInt(GridPoint::y).thenComparingInt(GridPoint::z);

    /** Throws if a coordinate is out of range. */
    public GridPoint {
        if (Math.min(x, Math.min(y, z)) < 0 || Math.max(x, Math.max(y, z)) > LARGEST) {
            throw new IllegalArgumentException(
                    "Coordinates are from 0 to " + LARGEST + ", got (" + x + ", " + y + ", " + z + ")");
        }
    }

    long squaredDistance(GridPoint other) {
        long dx = (long) x - other.x;
        long dy = (long) y - other.y;
        long dz = (long) z - other.z;
        return dx * dx + dy * dy + dz * dz;
    }

    @Override
    public int compareTo(GridPoint other) {
        return ORDER.compare(this, other);
    }
}
