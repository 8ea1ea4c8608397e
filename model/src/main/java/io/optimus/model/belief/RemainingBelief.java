package io.optimus.model.belief;

import io.optimus.model.convergence.RemainingSteps;
import java.util.OptionalDouble;

/**
 * What is believed to remain of a job.
 *
 * @param steps to its end, 0 or more; empty while unknown
 * @param trust how far these are believed, from 0, as if there were none, to 1
 */
public record RemainingBelief(OptionalDouble steps, double trust) {
    /** Nothing is known. */
    public static final RemainingBelief UNKNOWN = new RemainingBelief(OptionalDouble.empty(), 0);

    /** Somebody says so, who is believed. */
    public static RemainingBelief told(double steps) {
        return new RemainingBelief(OptionalDouble.of(steps), 1);
    }

    /** As its curve has it. */
    public static RemainingBelief predicted(RemainingSteps remaining) {
        return new RemainingBelief(remaining.toOptional(), remaining.trust());
    }
}
