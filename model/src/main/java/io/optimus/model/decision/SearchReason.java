package io.optimus.model.decision;

import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * The job's size is part of the division of the cluster that a search found best for all jobs together.
 *
 * @param change what it gets
 * @param timesFair its new speed over that on an equal part of the cluster; empty for a job that the search left out because it
 *     may not shrink
 */
public record SearchReason(SizeChange change, OptionalDouble timesFair) implements AllocationReason {
    @Override
    public String sentence() {
        boolean chosen = change.to().isNone() || timesFair.isPresent();
        return chosen ? change.words() + ": that is the best found for all jobs together" : change.words();
    }

    @Override
    public List<ReasonKind> kinds() {
        return change.kinds(ReasonKind.BEST_FOR_ALL);
    }

    @Override
    public SortedMap<String, Double> figures() {
        return new Figures().with("timesSpeedOnEqualPart", timesFair).all();
    }
}
