package io.optimus.model.curve;

import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.Preprocessing;
import io.optimus.model.numerics.Autocorrelation;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Finds where a loss curve bends last: a drop of the learning rate, the end of a warm-up, a restart.
 *
 * <p>A segment of the curve bends if two smooth falls, one up to a point and one from it on, fit the losses so much better than
 * one that noise does not explain it: with n independent points, n·ln(squares of one / squares of two) exceeds a threshold. The
 * likeliest point is found with one exponential and a limit on either side, for which running sums give all points at once.
 * Then the search goes on in the segment after the bend or, without a bend, in the later half.
 *
 * <p>Example: 30 points that fall from 0.85 to 0.45 with noise 0.02, then 8 around 0.30. One smooth fall misses these 8 by some
 * 0.1 each, and its squares sum to 0.09; two miss all points only by the noise, 38·0.02² = 0.015; 38·ln(0.09/0.015) = 68
 * exceeds 10·ln 38 = 36.
 */
final class BendSearch {
    /** More points would show a bend a little earlier, and take more time. */
    private static final int MAX_POINTS = 256;

    /** A single point that is off is an outlier. */
    private static final int FEWEST_AFTER = 2;

    /** Twice as many points as a fall has parameters. */
    private static final int FEWEST_BEFORE = 6;

    /** With more bends there is no curve between them that could be fitted. */
    private static final int MOST_SEARCHES = 8;

    /** A half is searched if three curves could be fitted to it. */
    private static final int FEWEST_OF_A_HALF = 3 * LossHistory.FEWEST_POINTS;

    /** The parameters of two falls: each has an amplitude, a rate and a limit at least. */
    private static final double FITTED = 6;

    /**
     * The threshold of n·ln(one/two), in units of ln n. The second fall adds four parameters, one of them the searched point;
     * for these BIC asks 5. This is twice that, since noise is not normal and its correlation not known: {@code BendSearchTest}
     * measures the remaining rate of false alarms.
     */
    private static final double LOG_FACTOR = 10;

    /**
     * A fall that misses a bend misses neighbouring points alike: at the threshold this makes up a fifth of the squares of 256
     * points, and more of fewer points. A search is pointless at a correlation below half of that, which white noise seldom
     * exceeds.
     */
    private static final double LEAST_CORRELATION = 0.1;

    /** The single exponentials that {@link #likeliest} uses may be off by this many points. */
    private static final int NEAR = 8;

    /** In standard deviations of the difference between two means, each of two points with noise 1. */
    private static final double LEAST_STEP = 5;

    private BendSearch() {}

    /**
     * The first point after the last bend; 0 if there is no bend.
     *
     * @param allSteps rising, two or more
     * @param allLosses finite
     */
    static int last(double[] allSteps, double[] allLosses) {
        if (allSteps.length < FEWEST_BEFORE + FEWEST_AFTER) {
            return 0;
        }
        double[] steps = Preprocessing.averagedDown(allSteps, MAX_POINTS);
        double[] losses = Preprocessing.averagedDown(LocalNoise.withoutSpikes(allLosses), MAX_POINTS);
        int group = Preprocessing.group(allSteps.length, MAX_POINTS);
        return group * lastOf(steps, losses);
    }

    private static int lastOf(double[] steps, double[] losses) {
        int last = 0;
        int from = 0;
        for (int i = 0; i < MOST_SEARCHES && steps.length - from >= FEWEST_BEFORE + FEWEST_AFTER; i++) {
            OptionalInt bend = bend(new CurveSegment(
                    Arrays.copyOfRange(steps, from, steps.length), Arrays.copyOfRange(losses, from, losses.length)));
            if (bend.isPresent()) {
                from += bend.getAsInt();
                last = from;
            } else if (steps.length - from >= 2 * FEWEST_OF_A_HALF) {
                // Where there are many bends, two falls fit as badly as one; the later half has fewer bends.
                from += (steps.length - from) / 2;
            } else {
                break;
            }
        }
        return last;
    }

    private static OptionalInt bend(CurveSegment segment) {
        int n = segment.size();
        double[] one = new double[n];
        segment.missedBySmoothFall(0, n, 1, one);
        if (Autocorrelation.ofNeighbours(one) < LEAST_CORRELATION) {
            return OptionalInt.empty();
        }
        int at = likeliest(segment);
        double[] two = missedByTwo(segment, at);
        if (!bends(segment, one, two)) {
            return OptionalInt.empty();
        }
        // The grid of rates may have been the cause: try again with one that contains the best single exponential.
        segment.missedBySmoothFall(0, n, segment.bestRate(), one);
        return bends(segment, one, two) ? OptionalInt.of(sharpest(segment, at)) : OptionalInt.empty();
    }

    private static double[] missedByTwo(CurveSegment segment, int at) {
        int n = segment.size();
        double[] two = new double[n];
        segment.missedBySmoothFall(0, at, 1, two);
        if (n - at < LossHistory.FEWEST_POINTS) {
            // Any curve goes through so few points.
            segment.missedByConstant(at, two);
        } else {
            segment.missedBySmoothFall(at, n, 1, two);
        }
        return two;
    }

    private static boolean bends(CurveSegment segment, double[] one, double[] two) {
        int n = segment.size();
        double gain = Math.log((segment.floor() + squares(one)) / (segment.floor() + squares(two)));
        double independent = Autocorrelation.independentByBlocks(two, segment.floor() / n) * (n - FITTED) / n;
        return independent * gain > LOG_FACTOR * Math.log(n);
    }

    private static double squares(double[] residuals) {
        double squares = 0;
        for (double residual : residuals) {
            squares += residual * residual;
        }
        return squares;
    }

    /** The point from which on a second exponential helps most. */
    private static int likeliest(CurveSegment segment) {
        ExponentialSquares squares = new ExponentialSquares(segment);
        int best = FEWEST_BEFORE;
        double least = Double.POSITIVE_INFINITY;
        for (int at = FEWEST_BEFORE; at <= segment.size() - FEWEST_AFTER; at++) {
            double both = squares.before[at] + squares.after[at];
            if (both < least) {
                least = both;
                best = at;
            }
        }
        return best;
    }

    /**
     * The largest step of the losses near {@code at} that exceeds noise, else {@code at}: {@link #likeliest} is inexact if the
     * curve before is no exponential.
     */
    private static int sharpest(CurveSegment segment, int at) {
        int sharpest = at;
        double largest = LEAST_STEP;
        for (int i = Math.max(FEWEST_AFTER, at - NEAR); i <= Math.min(segment.size() - FEWEST_AFTER, at + NEAR); i++) {
            double step =
                    Math.abs(segment.loss(i) + segment.loss(i + 1) - segment.loss(i - 1) - segment.loss(i - 2)) / 2;
            double deviations = step * Math.sqrt(segment.weight(i));
            if (deviations > largest) {
                largest = deviations;
                sharpest = i;
            }
        }
        return sharpest;
    }

    /**
     * The squared residuals of each beginning and each end of a segment from its own best exponential decay with a limit, over
     * a grid of rates. Running sums suffice, since an exponential that begins later differs only in its amplitude.
     */
    private static final class ExponentialSquares {
        /** Fewer points are described as well by a constant. */
        private static final int FEWEST_FOR_A_FALL = LossHistory.FEWEST_POINTS;

        /**
         * The number of rates, powers of two from 1 on, per segment; at 2^8, the squared fall at the end, e^-512, is still a
         * double.
         */
        private static final int RATES = 9;

        private final CurveSegment segment;

        /** The squares of the points before each point. */
        private final double[] before;

        /** The squares of the points from each point on. */
        private final double[] after;

        ExponentialSquares(CurveSegment segment) {
            this.segment = segment;
            int n = segment.size();
            this.before = new double[n + 1];
            this.after = new double[n + 1];
            Arrays.fill(before, Double.POSITIVE_INFINITY);
            Arrays.fill(after, Double.POSITIVE_INFINITY);
            double[] fall = new double[n];
            for (int rate = 0; rate < RATES; rate++) {
                for (int i = 0; i < n; i++) {
                    fall[i] = rate == 0 ? Math.exp(-segment.step(i)) : fall[i] * fall[i];
                }
                sumForward(fall);
                sumBackward(fall);
            }
        }

        private void sumForward(double[] fall) {
            RegressionSums sums = new RegressionSums();
            for (int i = 0; i < fall.length; i++) {
                sums.add(fall[i], segment.loss(i), segment.weight(i));
                before[i + 1] = Math.min(before[i + 1], sums.squares());
            }
        }

        private void sumBackward(double[] fall) {
            RegressionSums sums = new RegressionSums();
            for (int i = fall.length - 1; i >= 0; i--) {
                sums.add(fall[i], segment.loss(i), segment.weight(i));
                after[i] = Math.min(after[i], sums.squares());
            }
        }

        /** The running sums of a weighted regression of losses on a fall. */
        private static final class RegressionSums {
            private int count;
            private double weights;
            private double falls;
            private double fallSquares;
            private double losses;
            private double lossSquares;
            private double products;

            void add(double fall, double loss, double weight) {
                count++;
                weights += weight;
                falls += weight * fall;
                fallSquares += weight * fall * fall;
                losses += weight * loss;
                lossSquares += weight * loss * loss;
                products += weight * fall * loss;
            }

            double squares() {
                double lossVariance = lossSquares - losses * losses / weights;
                double fallVariance = fallSquares - falls * falls / weights;
                double covariance = products - falls * losses / weights;
                boolean falling = count >= FEWEST_FOR_A_FALL && covariance > 0 && fallVariance > 0;
                return Math.max(0, falling ? lossVariance - covariance * covariance / fallVariance : lossVariance);
            }
        }
    }
}
