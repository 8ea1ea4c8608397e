package io.optimus.model.plan;

import io.optimus.model.belief.LearningMode;
import io.optimus.model.placement.OptimusPlacer;
import io.optimus.model.placement.Placer;
import io.optimus.model.policy.AllocationPolicy;

/**
 * The way in which the jobs of a queue are scheduled.
 *
 * @param policy decides on sizes
 * @param placer decides on placements
 * @param resizes which resizes of running jobs are carried out
 */
public record Strategy(AllocationPolicy policy, Placer placer, Resizes resizes) {
    /** Which resizes of running jobs are carried out. */
    public enum Resizes {
        /** All of them, for policies that are compared as published. */
        AS_DECIDED,
        /** Those that free resources which another job takes, for policies that weigh the cost of resizes themselves. */
        NOT_IN_VAIN,
        /** Those of {@link #NOT_IN_VAIN} that are worth their cost. */
        REPAYING
    }

    /** How its jobs learn their speed. */
    public LearningMode learning() {
        if (!policy.resizes()) {
            return LearningMode.FIXED_SIZE;
        }
        return policy.exploresFirst() ? LearningMode.EXPLORE_FIRST : LearningMode.TRY_SIZES;
    }

    /** The same with at most {@code jobsPerNode} jobs of several nodes on each node, 1 or more, if the placer can. */
    public Strategy withDistributedJobs(int jobsPerNode) {
        return new Strategy(policy, placer.withDistributedJobs(jobsPerNode), resizes);
    }

    public Strategy with(Placer other) {
        return new Strategy(policy, other, resizes);
    }

    /** A strategy of {@code policy} with our placer and the resizes that are worth their cost. */
    public static Strategy of(AllocationPolicy policy) {
        return new Strategy(policy, new OptimusPlacer(), Resizes.REPAYING);
    }
}
