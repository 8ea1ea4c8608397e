package io.optimus.am.master.journal;

import io.optimus.model.Allocation;

/**
 * A resize as it happened.
 *
 * @param atMillis when the new membership began to step, Unix time
 * @param from allocation before
 * @param to allocation after
 * @param pauseMillis stepping lost
 * @param step first step after
 * @param reason what led to it
 */
public record ResizeRecord(
        long atMillis, Allocation from, Allocation to, long pauseMillis, long step, ResizeReason reason) {
    /**
     * What led to a resize.
     *
     * @param planned whether a directive asked for it; otherwise a task was lost
     * @param plan number of the scheduler's plan; 0 if no plan asked for it
     * @param exploring whether the allocation was chosen to learn the speed function
     * @param text the scheduler's reason, or what was lost
     */
    public record ResizeReason(boolean planned, long plan, boolean exploring, String text) {}
}
