package io.optimus.model.convergence;

import java.util.function.DoubleFunction;

/**
 * The epoch that ends training, with the interval that noise leaves open.
 *
 * @param early training ends before this one with a probability of {@value #TAIL} at most
 * @param median training ends before or with this one with a probability of one half
 * @param late training ends after this one with a probability of {@value #TAIL} at most; infinite if it may never end
 */
record EndEpochs(double early, double median, double late) {
    private static final double TAIL = 0.025;

    /** Beyond this many epochs, probabilities are assumed to stay constant. */
    private static final int MOST_EPOCHS = 1_000;

    /** The end without noise. */
    static EndEpochs certain(double epoch) {
        return new EndEpochs(epoch, epoch, epoch);
    }

    /**
     * The epoch that makes {@code run} long enough.
     *
     * @param run the quiet run before epoch {@code first}
     * @param first the first epoch that is unknown
     * @param quietness the probability that each epoch is quiet
     */
    static EndEpochs of(QuietRun run, double first, DoubleFunction<QuietProbability> quietness) {
        double[] goesOn = {1 - TAIL, 0.5, TAIL};
        double[] ends = new double[goesOn.length];
        int found = 0;
        double stays = 1;
        // Epochs passed have a counter of their own: beyond 2^53, a double plus one is the same number.
        for (int passed = 0; passed < MOST_EPOCHS && found < ends.length; passed++) {
            double before = run.goesOn();
            run.next(quietness.apply(first + passed));
            stays = run.goesOn() / before;
            while (found < ends.length && run.goesOn() <= goesOn[found]) {
                ends[found++] = first + passed;
            }
        }
        double last = first + MOST_EPOCHS - 1;
        for (; found < ends.length; found++) {
            ends[found] = stays < 1
                    ? last + Math.ceil(Math.log(goesOn[found] / run.goesOn()) / Math.log(stays))
                    : Double.POSITIVE_INFINITY;
        }
        return new EndEpochs(ends[0], ends[1], ends[2]);
    }

    EndEpochs orEarlier(EndEpochs other) {
        return new EndEpochs(Math.min(early, other.early), Math.min(median, other.median), Math.min(late, other.late));
    }

    /** The same median, with the interval widened to contain that of {@code other}. */
    EndEpochs alsoWithin(EndEpochs other) {
        return new EndEpochs(Math.min(early, other.early), median, Math.max(late, other.late));
    }

    /** The same end where it is not after {@code epoch}; what is later is unknown, but not before {@code next}. */
    EndEpochs knownUntil(double epoch, double next) {
        return new EndEpochs(
                early <= epoch ? early : next,
                median <= epoch ? median : Double.POSITIVE_INFINITY,
                late <= epoch ? late : Double.POSITIVE_INFINITY);
    }

    /** The same end, but not before {@code epoch}. */
    EndEpochs from(double epoch) {
        return new EndEpochs(Math.max(early, epoch), Math.max(median, epoch), Math.max(late, epoch));
    }
}
