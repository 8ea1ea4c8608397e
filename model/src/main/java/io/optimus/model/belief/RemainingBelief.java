package io.optimus.model.belief;

import io.optimus.model.convergence.RemainingSteps;
import java.util.OptionalDouble;

/**
 * The steps that a job is believed to have left.
 *
 * @param steps to its end, 0 or more; empty while unknown
 * @param trust how far to rely on them, from 0 (as if unknown) to 1
 */
public record RemainingBelief(OptionalDouble steps, double trust) {
    /** Nothing is known. */
    public static final RemainingBelief UNKNOWN = new RemainingBelief(OptionalDouble.empty(), 0);

    /** Certain steps: the job's owner declared them, or they are the truth. */
    public static RemainingBelief certain(double steps) {
        return new RemainingBelief(OptionalDouble.of(steps), 1);
    }

    /** The steps that a loss curve predicts. */
    public static RemainingBelief predicted(RemainingSteps remaining) {
        return new RemainingBelief(remaining.toOptional(), remaining.trust());
    }

    /** The same, but with {@code least} steps or more if any are known. */
    RemainingBelief atLeast(double least) {
        return steps.isPresent() && steps.getAsDouble() < least
                ? new RemainingBelief(OptionalDouble.of(least), trust)
                : this;
    }
}
