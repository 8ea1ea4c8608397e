package io.optimus.model.decision;

import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * Its size is part of the division of the cluster that a search found best for all jobs together.
 *
 * @param change what it gets
 * @param timesFair its speed on that over its speed on an equal part of the cluster; empty for a job that was not searched
 *     for, because it may not shrink
 */
public record SearchReason(SizeChange change, OptionalDouble timesFair) implements AllocationReason {
    @Override
    public String sentence() {
        if (change.to().isNone()) {
            return change.words() + ": the best division that was found for all jobs leaves it out";
        }
        return timesFair.isEmpty()
                ? change.words()
                : change.words() + ": that is its part of the best division that was found for all jobs";
    }

    @Override
    public SortedMap<String, Double> figures() {
        return new Figures().with("timesSpeedOnEqualPart", timesFair).all();
    }
}
