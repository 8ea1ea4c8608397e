package io.optimus.model.curve;

/** Mean loss by epoch, as far as a decision needs it: only the largest is kept. */
final class EpochMeans {
    private final double stepsPerEpoch;
    private double epoch;
    private double mean;
    private double weight;
    private double largest;
    private boolean closed;

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
            largest = Math.max(largest, Math.abs(mean));
            closed = true;
            weight = 0;
        }
        epoch = of;
        double steps = previousStep < 0 ? 1 : Math.min(stepsPerEpoch, (double) step - previousStep);
        weight += steps;
        double share = steps / weight;
        mean = weight == steps ? loss : mean * (1 - share) + loss * share;
    }

    double largest() {
        return closed ? largest : weight > 0 ? Math.abs(mean) : 0;
    }
}
