package io.optimus.model.convergence;

import java.util.Arrays;

/**
 * When the first row of quiet epochs is long enough, where noise decides about each epoch.
 *
 * <p>How many quiet epochs there are in a row is a Markov chain: it goes up by one after a quiet epoch and back to none after
 * another, and it ends at the length that is needed. Example: two are needed, each is quiet with chance 1/2. After the first
 * epoch there is a row of one with chance 1/2, none otherwise; after the second the row is long enough with chance 1/4, after
 * the third with 3/8, after the fourth with 1/2: 2 in the median is too soon, 4 is not.
 *
 * <p>Mutable; one epoch after another.
 */
final class QuietRun {
    /** Chance of each length, and that it goes on. */
    private final double[] ofLength;

    private double goesOn = 1;

    /**
     * Before the next epoch.
     *
     * @param needed epochs in a row, 1 or more
     * @param soFar as many are there already, fewer than needed
     */
    QuietRun(int needed, int soFar) {
        ofLength = new double[needed];
        ofLength[soFar] = 1;
    }

    /** An epoch more. */
    void next(QuietProbability chance) {
        double none = ofLength[0] * (1 - chance.afterOther());
        double one = ofLength[0] * chance.afterOther();
        for (int length = ofLength.length - 1; length > 0; length--) {
            double here = ofLength[length];
            none += here * (1 - chance.afterQuiet());
            ofLength[length] = (length == 1 ? one : ofLength[length - 1] * chance.afterQuiet());
        }
        ofLength[0] = none;
        goesOn = Arrays.stream(ofLength).sum();
    }

    /** The chance that no row was long enough yet. */
    double goesOn() {
        return goesOn;
    }
}
