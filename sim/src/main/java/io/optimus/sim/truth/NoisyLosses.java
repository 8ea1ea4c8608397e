package io.optimus.sim.truth;

import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.losses.LossPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The losses that a job reports, and the epoch with which its stop rule ends it.
 *
 * <p>Each epoch has {@value #POINTS_PER_EPOCH} points. A point is the curve at its step, times 1 + noise · a normal draw. The
 * same seed gives the same points.
 */
public final class NoisyLosses implements LossSource {
    private static final int POINTS_PER_EPOCH = 10;

    /** Training ends with this epoch at the latest: a stop rule that has not ended it is assumed never to do so. */
    private static final int MOST_EPOCHS = 2_000;

    private final LossCurve curve;
    private final double noise;
    private final double stepsPerEpoch;
    private final long seed;
    private Random draws;
    private int shown;

    /**
     * Makes losses around a curve.
     *
     * @param curve the loss without noise
     * @param noise standard deviation of a point, relative to the curve, 0 or more
     * @param stepsPerEpoch {@value #POINTS_PER_EPOCH} or more
     * @param seed seed of the noise
     */
    public NoisyLosses(LossCurve curve, double noise, double stepsPerEpoch, long seed) {
        if (!(stepsPerEpoch >= POINTS_PER_EPOCH)) {
            throw new IllegalArgumentException(
                    "An epoch must have " + POINTS_PER_EPOCH + " steps or more, got " + stepsPerEpoch);
        }
        this.curve = curve;
        this.noise = noise;
        this.stepsPerEpoch = stepsPerEpoch;
        this.seed = seed;
        this.draws = new Random(seed);
    }

    /** Returns the epochs until {@code rule} ends training, from 1 to {@value #MOST_EPOCHS}. */
    public int epochsUntil(StopRule rule) {
        Random ahead = new Random(seed);
        List<Double> means = new ArrayList<>();
        while (means.size() < MOST_EPOCHS) {
            double sum = 0;
            for (int i = 0; i < POINTS_PER_EPOCH; i++) {
                sum += point(means.size() * POINTS_PER_EPOCH + i, ahead).loss();
            }
            means.add(sum / POINTS_PER_EPOCH);
            if (rule.stop(means).isPresent()) {
                break;
            }
        }
        return means.size();
    }

    @Override
    public List<LossPoint> showUntil(double step) {
        List<LossPoint> points = new ArrayList<>();
        while (stepOf(shown) <= step) {
            points.add(point(shown++, draws));
        }
        return points;
    }

    private double stepOf(int point) {
        return (point + 1) * stepsPerEpoch / POINTS_PER_EPOCH;
    }

    private LossPoint point(int number, Random random) {
        double step = stepOf(number);
        // The last step of the interval that the point averages, counted from 0.
        return new LossPoint(
                Math.max(0, Math.round(step) - 1), curve.lossAt(step) * (1 + noise * random.nextGaussian()));
    }
}
