package io.optimus.am.membership;

import io.optimus.model.Allocation;

/**
 * A change of membership.
 *
 * @param from the allocation before; none: the job had waited
 * @param to the allocation now
 * @param pauseMillis stepping lost: from the end of the last step before to the start of the first step after
 * @param step the first step after
 * @param cause why
 */
public record Resize(Allocation from, Allocation to, long pauseMillis, long step, Cause cause) {
    /** The same with another count of its first step. */
    public Resize at(long firstStep) {
        return new Resize(from, to, pauseMillis, firstStep, cause);
    }

    /** Why a membership changed. */
    public enum Cause {
        /** The first membership of this coordinator, or the first after the job had waited for tasks. */
        STARTED,
        /** The ApplicationMaster was started again, and took over the tasks of the attempt before. */
        TAKEN_OVER,
        /** A target asked for it. */
        PLANNED,
        /** The members are the same; the samples of their steps may differ. */
        RENEWED,
        /** A worker was lost. */
        WORKER_LOST,
        /** A parameter server was lost. */
        SERVER_LOST
    }
}
