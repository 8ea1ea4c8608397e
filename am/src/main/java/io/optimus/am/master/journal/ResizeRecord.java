package io.optimus.am.master.journal;

import io.optimus.model.Allocation;

/**
 * A resize as it happened.
 *
 * @param atMillis when the new membership began to step, Unix time
 * @param from before
 * @param to after
 * @param pauseMillis stepping lost
 * @param step first step after
 * @param exploring whether the size was chosen to learn the speed function
 * @param reason why, in the scheduler's words, or what was lost
 * @param plan that asked for it; 0 when no plan did
 * @param planned whether a plan or the job's own sizing asked for it, rather than a lost task
 */
public record ResizeRecord(
        long atMillis,
        Allocation from,
        Allocation to,
        long pauseMillis,
        long step,
        boolean exploring,
        String reason,
        long plan,
        boolean planned) {}
