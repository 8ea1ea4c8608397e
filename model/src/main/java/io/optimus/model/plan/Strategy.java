package io.optimus.model.plan;

import io.optimus.model.placement.OptimusPlacer;
import io.optimus.model.placement.Placer;
import io.optimus.model.policy.AllocationPolicy;

/**
 * How the jobs of a queue are scheduled.
 *
 * @param policy decides on sizes
 * @param placer decides on places
 * @param dropsUnworthyResizes whether a resize that does not repay what it costs is dropped afterwards; false for policies
 *     that weigh that themselves, and for those that are to be measured as published
 */
public record Strategy(AllocationPolicy policy, Placer placer, boolean dropsUnworthyResizes) {
    /** The same with at most so many jobs of several nodes on each node, 1 or more, where the placer can have it so. */
    public Strategy withDistributedJobs(int jobsPerNode) {
        return new Strategy(policy, placer.withDistributedJobs(jobsPerNode), dropsUnworthyResizes);
    }

    /** The same with another placement. */
    public Strategy with(Placer other) {
        return new Strategy(policy, other, dropsUnworthyResizes);
    }

    /** {@code policy} with our placement, and resizes that pay. */
    public static Strategy of(AllocationPolicy policy) {
        return new Strategy(policy, new OptimusPlacer(), true);
    }
}
