package io.optimus.model.convergence;

import java.util.Arrays;

/**
 * The probability that a run of quiet epochs (epochs in which the loss decreases by less than the rule asks) has become long enough,
 * where noise decides whether an epoch is quiet.
 *
 * <p>The length of the run is a Markov chain: it grows by one with a quiet epoch, falls to 0 with another, and ends at the
 * length that is needed. Example: two quiet epochs are needed, and each epoch is quiet with probability 1/2. After the first
 * epoch the run has length 1 with probability 1/2, else 0; it is long enough with probability 1/4 after the second, 3/8 after the
 * third and 1/2 after the fourth epoch, which is the median.
 *
 * <p>Mutable; epochs are added one after another.
 */
final class QuietRun {
    /** The probability of each length that is not enough yet. */
    private final double[] ofLength;

    private double goesOn = 1;

    /**
     * A run before the next epoch.
     *
     * @param needed quiet epochs in a row, 1 or more
     * @param soFar the length of the run so far, less than needed
     */
    QuietRun(int needed, int soFar) {
        ofLength = new double[needed];
        ofLength[soFar] = 1;
    }

    /** Adds an epoch. */
    void next(QuietProbability quiet) {
        double none = ofLength[0] * (1 - quiet.afterOther());
        double one = ofLength[0] * quiet.afterOther();
        for (int length = ofLength.length - 1; length > 0; length--) {
            double here = ofLength[length];
            none += here * (1 - quiet.afterQuiet());
            ofLength[length] = (length == 1 ? one : ofLength[length - 1] * quiet.afterQuiet());
        }
        ofLength[0] = none;
        goesOn = Arrays.stream(ofLength).sum();
    }

    /** The probability that no run was long enough yet. */
    double goesOn() {
        return goesOn;
    }
}
