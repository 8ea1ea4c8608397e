package io.optimus.yarn.round;

import java.util.Set;

/**
 * One round that was run, for people.
 *
 * @param number counts from 1 in each ResourceManager
 * @param startedMillis when, by the wall clock
 * @param durationMillis how long it took
 * @param jobs how many jobs it planned
 * @param plan number of the plan that held afterwards
 * @param early why it was run before its time; empty: it was time
 * @param outcome what came of it, in words that everybody may read: names no application
 */
public record RoundRecord(
        long number,
        long startedMillis,
        long durationMillis,
        int jobs,
        long plan,
        Set<RoundTrigger> early,
        String outcome) {
    /** Copies. */
    public RoundRecord {
        early = Set.copyOf(early);
    }
}
