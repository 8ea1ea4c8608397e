package io.optimus.model.curve;

import io.optimus.model.losses.Preprocessing;
import io.optimus.model.numerics.Autocorrelation;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Finds where a curve bends last: a drop of the learning rate, the end of a warm-up, a restart.
 *
 * <p>A stretch bends if two smooth falls, one up to a point and one from it on, miss it so much less than one that noise
 * does not do it: with n independent points, n·ln(squares of one / squares of two) beyond a threshold. Where to look is
 * found with one exponential and a limit on either side, for which running sums give all divisions at once. Then what is
 * later is searched the same way; where there is none, the later half.
 *
 * <p>Example: 30 points that fall from 0.85 to 0.45 with noise 0.02, then 8 around 0.30: one smooth fall misses these by
 * some 0.1 each, its squares sum to 0.09; two miss all by the noise, 38·0.02² = 0.015; 38·ln(0.09/0.015) = 68 is beyond
 * 10·ln 38 = 36.
 */
final class BendSearch {
    /** More would show a bend a little earlier, and cost time. */
    private static final int MAX_POINTS = 256;

    /** A single point off is an outlier. */
    private static final int FEWEST_AFTER = 2;

    /** Twice as many as a fall has numbers. */
    private static final int FEWEST_BEFORE = 6;

    /** More bends, and there is no curve to be fitted between them. */
    private static final int MOST_SEARCHES = 8;

    /** A half is searched if it is as long as three fits want. */
    private static final int FEWEST_OF_A_HALF = 3 * LossCurveFitter.FEWEST_POINTS;

    /** Numbers of two falls: each has an amplitude, a rate and a limit at least. */
    private static final double FITTED = 6;

    /**
     * What n·ln(one/two) has to exceed, in units of ln n. The second fall has four numbers more, one of them a place that
     * was searched for, for which BIC asks 5; twice that, since noise is not normal and its correlation not known: the rate
     * of false alarms that it leaves is measured in {@code BendSearchTest}.
     */
    private static final double LOG_FACTOR = 10;

    /**
     * Where one fall misses a bend, neighbours miss it alike: at the threshold, of 256 points a fifth of the squares is so,
     * of fewer points more. Less than half of that, which white noise seldom has, is worth no search.
     */
    private static final double LEAST_CORRELATION = 0.1;

    /** Points that the single exponentials that {@link #likeliest} goes by may be wrong by. */
    private static final int NEAR = 8;

    /** Standard deviations of a difference between two means of two points, each of which has noise of one. */
    private static final double LEAST_STEP = 5;

    private BendSearch() {}

    /**
     * The first point of the last curve; 0 where all are of one.
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
                // Where there are many bends, two falls are as bad as one: the later half has fewer.
                from += (steps.length - from) / 2;
            } else {
                break;
            }
        }
        return last;
    }

    private static OptionalInt bend(CurveSegment stretch) {
        int n = stretch.size();
        double[] one = new double[n];
        stretch.missedBySmoothFall(0, n, 1, one);
        if (Autocorrelation.ofNeighbours(one) < LEAST_CORRELATION) {
            return OptionalInt.empty();
        }
        int at = likeliest(stretch);
        double[] two = missedByTwo(stretch, at);
        if (!bends(stretch, one, two)) {
            return OptionalInt.empty();
        }
        // The grid of rates may have been to blame: once more with one that has the best single exponential on it.
        stretch.missedBySmoothFall(0, n, stretch.bestRate(), one);
        return bends(stretch, one, two) ? OptionalInt.of(sharpest(stretch, at)) : OptionalInt.empty();
    }

    private static double[] missedByTwo(CurveSegment stretch, int at) {
        int n = stretch.size();
        double[] two = new double[n];
        stretch.missedBySmoothFall(0, at, 1, two);
        if (n - at < LossCurveFitter.FEWEST_POINTS) {
            // Any curve would go through so few.
            stretch.missedByConstant(at, two);
        } else {
            stretch.missedBySmoothFall(at, n, 1, two);
        }
        return two;
    }

    private static boolean bends(CurveSegment stretch, double[] one, double[] two) {
        int n = stretch.size();
        double gain = Math.log((stretch.floor() + squares(one)) / (stretch.floor() + squares(two)));
        double independent = Autocorrelation.independentByBlocks(two, stretch.floor() / n) * (n - FITTED) / n;
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
    private static int likeliest(CurveSegment stretch) {
        SegmentSquares squares = new SegmentSquares(stretch);
        int best = FEWEST_BEFORE;
        double least = Double.POSITIVE_INFINITY;
        for (int at = FEWEST_BEFORE; at <= stretch.size() - FEWEST_AFTER; at++) {
            double both = squares.before(at) + squares.after(at);
            if (both < least) {
                least = both;
                best = at;
            }
        }
        return best;
    }

    /** The largest drop or jump near {@code at}, where there is one beyond noise: the curve before it may be no exponential. */
    private static int sharpest(CurveSegment stretch, int at) {
        int sharpest = at;
        double largest = LEAST_STEP;
        for (int i = Math.max(FEWEST_AFTER, at - NEAR); i <= Math.min(stretch.size() - FEWEST_AFTER, at + NEAR); i++) {
            double step =
                    Math.abs(stretch.loss(i) + stretch.loss(i + 1) - stretch.loss(i - 1) - stretch.loss(i - 2)) / 2;
            double deviations = step * Math.sqrt(stretch.weight(i));
            if (deviations > largest) {
                largest = deviations;
                sharpest = i;
            }
        }
        return sharpest;
    }
}
