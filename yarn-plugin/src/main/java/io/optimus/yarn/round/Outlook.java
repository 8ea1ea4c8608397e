package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.yarn.jobs.JobView;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** What the policy of a queue is told of what is believed of a job, and how the job learns more under it. */
sealed interface Outlook permits Measured, Expected {
    /** Steps per second by allocation; empty until anything is believed. */
    Optional<SpeedFunction> speed();

    /** Steps to the end; empty until they are believed. */
    OptionalDouble remainingSteps();

    /**
     * The size to run next in order to learn; empty where there is nothing to learn.
     *
     * @param running the job as it runs now
     * @param underWay whether it has not carried out yet what is in force
     * @param fits whether there is room for a size now
     */
    Optional<Allocation> sizeToLearnFrom(Running running, boolean underWay, Predicate<Allocation> fits);

    /** Of {@code job}, which first explores the sizes that a fit of its speed wants, or does not. */
    static Outlook of(JobView job, boolean exploresFirst, Beliefs estimates) {
        return exploresFirst ? new Measured(job, estimates) : new Expected(job, estimates);
    }
}
