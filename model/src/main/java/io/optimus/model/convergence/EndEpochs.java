package io.optimus.model.convergence;

import java.util.function.DoubleFunction;

/**
 * The epoch that ends training, as far as noise leaves it open.
 *
 * @param early training ends before this one with a chance of {@value #TAIL} at most
 * @param median before or with this one with a chance of a half
 * @param late after this one with a chance of {@value #TAIL} at most; infinite where it may never end
 */
record EndEpochs(double early, double median, double late) {
    private static final double TAIL = 0.025;

    /** Beyond so many, chances are taken to stay as they are. */
    private static final int MOST_EPOCHS = 1_000;

    /** Without noise. */
    static EndEpochs certain(double epoch) {
        return new EndEpochs(epoch, epoch, epoch);
    }

    /**
     * The epoch that makes {@code row} long enough.
     *
     * @param row before epoch {@code first}
     * @param first an epoch
     * @param quietness of each epoch
     */
    static EndEpochs of(QuietRun row, double first, DoubleFunction<QuietProbability> quietness) {
        double[] goesOn = {1 - TAIL, 0.5, TAIL};
        double[] ends = new double[goesOn.length];
        int found = 0;
        double stays = 1;
        // Counted apart: of numbers beyond 2^53, one more is the same.
        for (int passed = 0; passed < MOST_EPOCHS && found < ends.length; passed++) {
            double before = row.goesOn();
            row.next(quietness.apply(first + passed));
            stays = row.goesOn() / before;
            while (found < ends.length && row.goesOn() <= goesOn[found]) {
                ends[found++] = first + passed;
            }
        }
        double last = first + MOST_EPOCHS - 1;
        for (; found < ends.length; found++) {
            ends[found] = stays < 1
                    ? last + Math.ceil(Math.log(goesOn[found] / row.goesOn()) / Math.log(stays))
                    : Double.POSITIVE_INFINITY;
        }
        return new EndEpochs(ends[0], ends[1], ends[2]);
    }

    /** Of two rules that may end it the earlier. */
    EndEpochs orEarlier(EndEpochs other) {
        return new EndEpochs(Math.min(early, other.early), Math.min(median, other.median), Math.min(late, other.late));
    }

    /** The same median, where training may as well end as early and as late as {@code other} has it. */
    EndEpochs alsoWithin(EndEpochs other) {
        return new EndEpochs(Math.min(early, other.early), median, Math.max(late, other.late));
    }

    /** Not before {@code epoch}. */
    EndEpochs from(double epoch) {
        return new EndEpochs(Math.max(early, epoch), Math.max(median, epoch), Math.max(late, epoch));
    }
}
