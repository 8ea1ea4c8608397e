package io.optimus.model.speed;

import java.util.Optional;

/** The outcome of fitting a speed function. */
public sealed interface SpeedFit {
    /**
     * A function was fitted.
     *
     * @param speed the fit, corrected by measurements; above 0 and finite on every size with a task of each role
     * @param relativeError mean of |fit − measured| / measured over the measured sizes, before the correction
     * @param sizes how many sizes were measured
     * @param confidence how far the speed may be off at each size
     * @param young whether the speed may be off by more than a quarter (one standard error) on the sizes to which the job may grow
     *     next: up to twice as many tasks of each role as were measured, within the job's range
     */
    record Fitted(MeasuredSpeed speed, double relativeError, int sizes, SpeedConfidence confidence, boolean young)
            implements SpeedFit {
        @Override
        public Optional<SpeedFunction> fitted() {
            return Optional.of(speed);
        }

        @Override
        public String inWords() {
            return "fitted";
        }
    }

    /**
     * Too few sizes were measured so far, or all have the same number of tasks of a role whose number may differ.
     *
     * @param seen the number of measured sizes
     * @param needed the fewest sizes that a fit needs, more than {@code seen}
     */
    record NotYet(int seen, int needed) implements SpeedFit {
        @Override
        public String inWords() {
            return seen + " of the " + needed + " sizes that a fit needs were measured";
        }
    }

    /**
     * No function of the form goes through these samples.
     *
     * @param reason why, in words, for the page and the log
     */
    record Impossible(String reason) implements SpeedFit {
        @Override
        public String inWords() {
            return reason;
        }
    }

    /** The outcome of the fit in words, for REST. */
    String inWords();

    /** Whether the speed is still poorly known, as it is without a function. */
    default boolean young() {
        return true;
    }

    /** The function, if there is one. */
    default Optional<SpeedFunction> fitted() {
        return Optional.empty();
    }
}
