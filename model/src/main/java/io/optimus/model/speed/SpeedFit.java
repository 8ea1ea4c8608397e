package io.optimus.model.speed;

import java.util.Optional;

/** What came of fitting a speed function. */
public sealed interface SpeedFit {
    /**
     * A function was fitted.
     *
     * @param speed the fit, corrected by what was measured; above 0 and finite on every size with a task of each role
     * @param relativeError mean of |fit − measured| / measured over the measured sizes, before the correction
     * @param sizes how many sizes were measured
     * @param confidence how far it may be off, by size
     * @param young whether it may be off by more than a quarter (one standard error) where the next growth is decided: on
     *     twice as many tasks of each role as were measured, as far as the job's range goes
     */
    record Fitted(MeasuredSpeed speed, double relativeError, int sizes, SpeedConfidence confidence, boolean young)
            implements SpeedFit {}

    /**
     * Too few sizes were measured so far, or all with the same number of a role whose number may differ.
     *
     * @param seen measured sizes
     * @param needed sizes that a fit wants at least, more than {@code seen}
     */
    record NotYet(int seen, int needed) implements SpeedFit {}

    /**
     * These samples have no such function.
     *
     * @param reason why, in words, for the page and the log
     */
    record Impossible(String reason) implements SpeedFit {}

    /** The function, where there is one. */
    default Optional<SpeedFunction> fitted() {
        return this instanceof Fitted fit ? Optional.of(fit.speed()) : Optional.empty();
    }
}
