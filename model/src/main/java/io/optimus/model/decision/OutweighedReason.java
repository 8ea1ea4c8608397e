package io.optimus.model.decision;

import io.optimus.model.Allocation;

/**
 * It gets nothing, because others make more of what its minimum would take.
 *
 * @param held what it has now, and gives up
 * @param minimum the least that it runs with
 * @param standing how much it counts
 */
public record OutweighedReason(Allocation held, Allocation minimum, GoodputReason.Standing standing)
        implements AllocationReason {
    @Override
    public String sentence() {
        return Words.waits(held) + " for its minimum of " + minimum + ", which is worth more to others: "
                + standing.words();
    }
}
