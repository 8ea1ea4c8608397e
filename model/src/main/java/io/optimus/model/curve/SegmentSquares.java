package io.optimus.model.curve;

import java.util.Arrays;

/**
 * What each beginning and each end of a stretch of losses misses of its own best exponential decay with a limit, of all
 * rates of a grid: by running sums, since an exponential that begins later is the same one but for its amplitude.
 */
final class SegmentSquares {
    /** Fewer points are met by any curve: a constant. */
    private static final int FEWEST_FOR_A_FALL = LossCurveFitter.FEWEST_POINTS;

    /** Per stretch, powers of two from 1 on; at 2^8 the square of what is left at its end, e^-512, is still a double. */
    private static final int RATES = 9;

    private final CurveSegment stretch;
    private final double[] before;
    private final double[] after;

    SegmentSquares(CurveSegment stretch) {
        this.stretch = stretch;
        int n = stretch.size();
        this.before = new double[n + 1];
        this.after = new double[n + 1];
        Arrays.fill(before, Double.POSITIVE_INFINITY);
        Arrays.fill(after, Double.POSITIVE_INFINITY);
        double[] fall = new double[n];
        for (int rate = 0; rate < RATES; rate++) {
            for (int i = 0; i < n; i++) {
                fall[i] = rate == 0 ? Math.exp(-stretch.step(i)) : fall[i] * fall[i];
            }
            sumForward(fall);
            sumBackward(fall);
        }
    }

    /** Of the points before {@code at}. */
    double before(int at) {
        return before[at];
    }

    /** Of the points from {@code at} on. */
    double after(int at) {
        return after[at];
    }

    private void sumForward(double[] fall) {
        Sums sums = new Sums();
        for (int i = 0; i < fall.length; i++) {
            sums.add(fall[i], stretch.loss(i), stretch.weight(i));
            before[i + 1] = Math.min(before[i + 1], sums.squares());
        }
    }

    private void sumBackward(double[] fall) {
        Sums sums = new Sums();
        for (int i = fall.length - 1; i >= 0; i--) {
            sums.add(fall[i], stretch.loss(i), stretch.weight(i));
            after[i] = Math.min(after[i], sums.squares());
        }
    }

    /** Of a weighted regression of losses on a fall. */
    private static final class Sums {
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
