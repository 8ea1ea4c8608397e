package io.optimus.model.plan;

import io.optimus.model.belief.LearningMode;
import io.optimus.model.placement.OptimusPlacer;
import io.optimus.model.placement.Placer;
import io.optimus.model.policy.AllocationPolicy;

/**
 * How the jobs of a queue are scheduled.
 *
 * @param policy decides on sizes
 * @param placer decides on places
 * @param resizes which of the resizes decided are carried out
 */
public record Strategy(AllocationPolicy policy, Placer placer, Resizes resizes) {
    /** Which resizes of running jobs are carried out. */
    public enum Resizes {
        /** All: of policies that are to be measured as published. */
        AS_DECIDED,
        /** Those that free what somebody takes: of policies that weigh themselves what a resize costs. */
        NOT_IN_VAIN,
        /** Of these, those that repay what they cost. */
        REPAYING
    }

    /** How its jobs learn their speed. */
    public LearningMode learning() {
        if (!policy.resizes()) {
            return LearningMode.FIXED_SIZE;
        }
        return policy.exploresFirst() ? LearningMode.EXPLORE_FIRST : LearningMode.TRY_SIZES;
    }

    /** The same with at most so many jobs of several nodes on each node, 1 or more, where the placer can have it so. */
    public Strategy withDistributedJobs(int jobsPerNode) {
        return new Strategy(policy, placer.withDistributedJobs(jobsPerNode), resizes);
    }

    /** The same with another placement. */
    public Strategy with(Placer other) {
        return new Strategy(policy, other, resizes);
    }

    /** {@code policy} with our placement, and resizes that pay. */
    public static Strategy of(AllocationPolicy policy) {
        return new Strategy(policy, new OptimusPlacer(), Resizes.REPAYING);
    }
}
