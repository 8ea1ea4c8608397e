package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.Words;

/**
 * It gets nothing, because others make more of what its minimum would take.
 *
 * @param held what it has now, and gives up
 * @param minimum the least that it runs with
 * @param standing how much it counts
 */
public record Outweighed(Allocation held, Allocation minimum, Weighed.Standing standing) implements AllocationReason {
    @Override
    public String sentence() {
        return Words.waits(held) + " for its minimum of " + minimum + ", which is worth more to others: "
                + standing.words();
    }
}
