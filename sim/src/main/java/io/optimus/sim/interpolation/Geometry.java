package io.optimus.sim.interpolation;

import java.math.BigInteger;

/** Computes exactly on which side points lie, so that rounding never breaks a triangulation. */
final class Geometry {
    /** Bounds the error of a sum of four products relative to their magnitudes; far more than 8 roundings of 2^-53. */
    private static final double ROUNDING = 1e-14;

    private Geometry() {}

    /**
     * Returns six times the signed volume of a tetrahedron.
     *
     * @return above 0 if b, c, d run anticlockwise seen from the side of their plane where a is not; 0 if all four are
     *     in one plane
     */
    static long volume(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
        return determinant(
                b.x() - a.x(),
                b.y() - a.y(),
                b.z() - a.z(),
                c.x() - a.x(),
                c.y() - a.y(),
                c.z() - a.z(),
                d.x() - a.x(),
                d.y() - a.y(),
                d.z() - a.z());
    }

    private static long determinant(long ax, long ay, long az, long bx, long by, long bz, long cx, long cy, long cz) {
        return ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx);
    }

    static boolean collinear(GridPoint a, GridPoint b, GridPoint c) {
        long ux = (long) b.x() - a.x();
        long uy = (long) b.y() - a.y();
        long uz = (long) b.z() - a.z();
        long vx = (long) c.x() - a.x();
        long vy = (long) c.y() - a.y();
        long vz = (long) c.z() - a.z();
        return uy * vz == uz * vy && uz * vx == ux * vz && ux * vy == uy * vx;
    }

    /** Whether p is strictly inside the sphere through the corners of a tetrahedron of positive volume. */
    static boolean inSphere(GridPoint a, GridPoint b, GridPoint c, GridPoint d, GridPoint p) {
        // The determinant of the lifted points, expanded along the column of squared distances.
        long[] minors = {-volume(p, b, c, d), volume(p, a, c, d), -volume(p, a, b, d), volume(p, a, b, c)};
        long[] squares = {a.squaredDistance(p), b.squaredDistance(p), c.squaredDistance(p), d.squaredDistance(p)};
        double sum = 0;
        double magnitude = 0;
        for (int i = 0; i < minors.length; i++) {
            double product = (double) minors[i] * squares[i];
            sum += product;
            magnitude += Math.abs(product);
        }
        return Math.abs(sum) > ROUNDING * magnitude
                ? sum < 0
                : exactSum(minors, squares).signum() < 0;
    }

    private static BigInteger exactSum(long[] minors, long[] squares) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < minors.length; i++) {
            sum = sum.add(BigInteger.valueOf(minors[i]).multiply(BigInteger.valueOf(squares[i])));
        }
        return sum;
    }
}
