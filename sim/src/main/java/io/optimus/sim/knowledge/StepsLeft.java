package io.optimus.sim.knowledge;

import io.optimus.model.convergence.RemainingSteps;
import java.util.OptionalDouble;

/**
 * What is believed to remain of a job.
 *
 * @param steps to its end, 0 or more; empty while unknown
 * @param trust how far these are believed, from 0, as if there were none, to 1
 */
public record StepsLeft(OptionalDouble steps, double trust) {
    /** Nothing is known. */
    public static final StepsLeft UNKNOWN = new StepsLeft(OptionalDouble.empty(), 0);

    /** Somebody says so, who is believed. */
    public static StepsLeft told(double steps) {
        return new StepsLeft(OptionalDouble.of(steps), 1);
    }

    /** As its curve has it. */
    public static StepsLeft predicted(RemainingSteps remaining) {
        return new StepsLeft(remaining.toOptional(), remaining.trust());
    }
}
