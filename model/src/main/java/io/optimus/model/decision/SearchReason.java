package io.optimus.model.decision;

import java.util.OptionalDouble;

/**
 * Its size is part of the division of the cluster that a search found best for all jobs together.
 *
 * @param sizing what it gets
 * @param timesFair its speed on that over its speed on an equal part of the cluster; empty for one that was not searched
 *     for, because it may not shrink
 */
public record SearchReason(SizeChange sizing, OptionalDouble timesFair) implements AllocationReason {
    @Override
    public String sentence() {
        if (sizing.to().isNone()) {
            return Words.waits(sizing.from()) + " for its minimum of " + sizing.minimum()
                    + ": the best division found for all jobs leaves it out";
        }
        return timesFair.isEmpty()
                ? sizing.words()
                : sizing.words() + ": in the best division found for all jobs it is "
                        + Words.number(timesFair.getAsDouble()) + " times as fast as on an equal part of the cluster";
    }
}
