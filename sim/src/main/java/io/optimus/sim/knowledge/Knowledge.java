package io.optimus.sim.knowledge;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * What the scheduler believes of one job: learnt from what the job could report, or told. Speed and remaining steps are
 * in the same unit of work.
 */
public interface Knowledge {
    /**
     * Looks at what the job could report since the last look, at the beginning of a round.
     *
     * @param nowSeconds virtual time, never earlier than before
     */
    void observe(double nowSeconds);

    /** Steps per second by allocation; empty until anything is believed. */
    Optional<SpeedFunction> speed();

    /** Steps to the end, 0 or more; empty while not predicted. */
    OptionalDouble remainingSteps();

    /** How far these are believed, from 0, as if there were none, to 1. */
    default double remainingTrust() {
        return 1;
    }

    /** Whether predictions are still poor. */
    boolean young();

    /**
     * The size to run next in order to learn; empty where there is nothing to learn.
     *
     * @param fits whether there is room for a size now
     */
    Optional<Allocation> exploration(Predicate<Allocation> fits);
}
