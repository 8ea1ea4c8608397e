package io.optimus.sim.knowledge;

import io.optimus.model.Allocation;
import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the scheduler believes of one job: learnt from what the job could report, or told. Speed and remaining steps are
 * in the same unit of work.
 */
public interface Knowledge {
    /**
     * Looks at what the job could report since the last look.
     *
     * @return whether its speed was measured where it had not been before
     */
    boolean observe();

    /** Steps per second by allocation; empty until anything is believed. */
    Optional<SpeedFunction> speed();

    /** The same for policies whose jobs do not explore first: where something is typical, from the first look on. */
    default Optional<SpeedFunction> expectedSpeed() {
        return speed();
    }

    /** To the end. */
    RemainingBelief stepsLeft();

    /** Whether predictions are still poor. */
    boolean young();

    /**
     * The size to run next in order to learn; empty where there is nothing to learn.
     *
     * @param fits whether there is room for a size now
     */
    Optional<Allocation> exploration(Predicate<Allocation> fits);

    /**
     * The same for policies whose jobs do not explore first: a size where trying it repays.
     *
     * @param job as it runs now
     * @param fits whether there is room for a size now
     */
    default Optional<Allocation> trial(Running job, Predicate<Allocation> fits) {
        return Optional.empty();
    }
}
