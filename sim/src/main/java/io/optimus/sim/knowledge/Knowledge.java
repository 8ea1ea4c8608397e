package io.optimus.sim.knowledge;

import io.optimus.model.Allocation;
import io.optimus.model.belief.BeliefSource;

/** A simulated scheduler's knowledge of one job: from its reports, or the truth. */
public interface Knowledge {
    /**
     * Takes in what the job had to report since the last call.
     *
     * @return whether its speed was measured on a size for the first time
     */
    boolean observe();

    /** Notes that the job now runs on {@code size} by plan; {@code exploring} says whether to learn its speed. */
    default void planned(Allocation size, boolean exploring) {}

    BeliefSource belief();
}
