package io.optimus.model.losses;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The mean losses of a job's epochs, as far as a rule that ends training needs them.
 *
 * @param largest the largest mean so far, as an absolute value: decreases are relative to it; 0 before the first point. During
 *     the first epoch it is the mean so far
 * @param latest the means of the last epochs that ended, without gaps; bounded
 * @param ended how many epochs had ended with the last of {@code latest}
 */
public record EpochLosses(double largest, List<Double> latest, double ended) {
    /** The losses of a job that has not reported yet. */
    public static final EpochLosses NONE = new EpochLosses(0, List.of(), 0);

    public EpochLosses {
        latest = List.copyOf(latest);
    }

    /** Averages losses by epoch as they come; keeps only the largest mean and the latest ones. Mutable. */
    static final class Collector {
        /** The median of 32 differences gives their noise to a fifth, 1.16/√32 (normal noise). */
        private static final int KEPT = 33;

        private final double stepsPerEpoch;
        private final Deque<Double> latest = new ArrayDeque<>(KEPT);
        private double epoch;
        private double mean;
        private double weight;
        private double largest;
        private double ended;

        Collector(double stepsPerEpoch) {
            if (!(stepsPerEpoch > 0 && stepsPerEpoch < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("An epoch needs above 0 steps, got " + stepsPerEpoch);
            }
            this.stepsPerEpoch = stepsPerEpoch;
        }

        double stepsPerEpoch() {
            return stepsPerEpoch;
        }

        /** Adds the mean loss of the steps after {@code previousStep} (−1: unknown) up to {@code step}. */
        void add(long previousStep, long step, double loss) {
            double epochOfStep = Math.floor(step / stepsPerEpoch);
            if (epochOfStep != epoch && weight > 0) {
                close();
            }
            epoch = epochOfStep;
            double steps = previousStep < 0 ? 1 : Math.min(stepsPerEpoch, (double) step - previousStep);
            weight += steps;
            double share = steps / weight;
            mean = weight == steps ? loss : mean * (1 - share) + loss * share;
        }

        private void close() {
            largest = Math.max(largest, Math.abs(mean));
            if (epoch != ended) {
                latest.clear();
            }
            if (latest.size() == KEPT) {
                latest.removeFirst();
            }
            latest.addLast(mean);
            ended = epoch + 1;
            weight = 0;
        }

        EpochLosses losses() {
            double soFar = ended > 0 ? largest : weight > 0 ? Math.abs(mean) : 0;
            return new EpochLosses(soFar, List.copyOf(latest), ended);
        }
    }
}
