package io.optimus.model.policy.smd;

import io.optimus.model.Allocation;
import io.optimus.model.policy.division.Participant;

/**
 * The size that would be best for a job by itself, and what that is worth.
 *
 * @param participant the job
 * @param size at least what it may not give up, and its minimum
 * @param seconds to its end on that; infinite where it does not step
 * @param utility of ending then
 * @param without utility of what it has without the wish
 */
record BestSize(Participant participant, Allocation size, double seconds, double utility, double without) {
    /** What the wish adds; 0 or more. */
    double value() {
        return Math.max(0, utility - without);
    }

    /** What the wish takes beyond what the job may not give up. */
    Allocation more() {
        return size.beyond(participant.given());
    }
}
