package io.optimus.sim.knowledge;

import io.optimus.model.Allocation;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** What one policy is told of what is believed of a job, and how the job learns more under it. */
public sealed interface Outlook permits Measured, Expected {
    /** Steps per second by allocation; empty until anything is believed. */
    Optional<SpeedFunction> speed();

    /** Steps to the end; empty until they are believed. */
    OptionalDouble stepsLeft();

    /**
     * The size to run next in order to learn; empty where there is nothing to learn.
     *
     * @param job as it runs now
     * @param fits whether there is room for a size now
     */
    Optional<Allocation> sizeToLearnFrom(Running job, Predicate<Allocation> fits);

    /** Of {@code knowledge} under {@code policy}. */
    static Outlook of(AllocationPolicy policy, Knowledge knowledge) {
        return policy.exploresFirst() ? new Measured(knowledge) : new Expected(knowledge);
    }
}
