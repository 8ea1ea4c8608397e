package io.optimus.sim.knowledge;

import io.optimus.model.Allocation;
import io.optimus.model.belief.BeliefSource;

/** What a simulated scheduler can know of one job: what the job reports, or the truth. */
public interface Knowledge {
    /**
     * Takes in what the job could report since the last call.
     *
     * @return whether its speed was measured on a size for the first time
     */
    boolean observe();

    /** The job is planned to run on {@code size} from now on, in order to learn its speed there or not. */
    default void planned(Allocation size, boolean exploring) {}

    BeliefSource belief();
}
