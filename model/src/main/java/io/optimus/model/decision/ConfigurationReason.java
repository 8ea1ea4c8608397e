package io.optimus.model.decision;

import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * The job's size is one of a few configurations, chosen together with those of all other jobs.
 *
 * @param change what it gets
 * @param timesMinimum its new speed over that on its minimum; empty if nothing was chosen
 */
public record ConfigurationReason(SizeChange change, OptionalDouble timesMinimum) implements AllocationReason {
    @Override
    public String sentence() {
        boolean chosen = change.to().isNone() || timesMinimum.isPresent();
        return chosen ? change.words() + ": that is best for all jobs together" : change.words();
    }

    @Override
    public List<ReasonKind> kinds() {
        return change.kinds(ReasonKind.BEST_FOR_ALL);
    }

    @Override
    public SortedMap<String, Double> figures() {
        return new Figures().with("timesSpeedOnMinimum", timesMinimum).all();
    }
}
