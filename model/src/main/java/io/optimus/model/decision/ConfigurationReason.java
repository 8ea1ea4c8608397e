package io.optimus.model.decision;

import java.util.OptionalDouble;

/**
 * Its size is one of a few configurations, chosen with those of all other jobs.
 *
 * @param sizing what it gets
 * @param timesMinimum its speed on that over its speed on its minimum; empty where nothing was chosen
 */
public record ConfigurationReason(SizeChange sizing, OptionalDouble timesMinimum) implements AllocationReason {
    @Override
    public String sentence() {
        if (sizing.to().isNone()) {
            return Words.waits(sizing.from()) + " for its minimum of " + sizing.minimum()
                    + ": all jobs together are better off without it now";
        }
        return timesMinimum.isEmpty()
                ? sizing.words()
                : sizing.words() + ": " + Words.number(timesMinimum.getAsDouble())
                        + " times as fast as on its minimum, in the best choice of one configuration a job";
    }
}
