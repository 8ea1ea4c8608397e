package io.optimus.model.losses;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Mean loss by epoch, as far as a decision needs it: only the largest and the last few are kept. */
final class EpochMeans {
    /** One more than the differences that tell their noise to a fifth: by the median, it is known to 1.16/√32 (normal noise). */
    private static final int KEPT = 33;

    private final double stepsPerEpoch;
    private final Deque<Double> latest = new ArrayDeque<>(KEPT);
    private double epoch;
    private double mean;
    private double weight;
    private double largest;
    private double ended;

    EpochMeans(double stepsPerEpoch) {
        if (!(stepsPerEpoch > 0 && stepsPerEpoch < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("An epoch has above 0 steps, got " + stepsPerEpoch);
        }
        this.stepsPerEpoch = stepsPerEpoch;
    }

    double stepsPerEpoch() {
        return stepsPerEpoch;
    }

    /** Adds the mean loss of the steps after {@code previousStep} (−1: none known) up to {@code step}. */
    void add(long previousStep, long step, double loss) {
        double of = Math.floor(step / stepsPerEpoch);
        if (of != epoch && weight > 0) {
            close();
        }
        epoch = of;
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
