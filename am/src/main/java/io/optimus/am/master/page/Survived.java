package io.optimus.am.master.page;

import java.util.List;
import java.util.OptionalLong;

/**
 * What the job has survived in this attempt.
 *
 * @param last the last events, oldest first
 * @param events the number of all events
 * @param stepsRedone steps that were done again from a checkpoint
 * @param stalledMillis how long no worker stepped because of lost tasks
 * @param longestStallMillis the longest such time
 * @param refusedCallers callers of the coordinator's port that did not prove that they belong to the job
 */
public record Survived(
        List<Event> last,
        long events,
        long stepsRedone,
        long stalledMillis,
        long longestStallMillis,
        long refusedCallers) {
    /** Nothing so far. */
    public static final Survived NOTHING = new Survived(List.of(), 0, 0, 0, 0, 0);

    public Survived {
        last = List.copyOf(last);
    }

    /**
     * Something that the job has survived.
     *
     * @param atMillis Unix time at which the ApplicationMaster noted it
     * @param what what happened, in words
     * @param stallMillis how long no worker stepped because of it; empty if they stepped on, or if that is another event
     */
    public record Event(long atMillis, String what, OptionalLong stallMillis) {}
}
