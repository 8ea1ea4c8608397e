package io.optimus.sim.engine;

import io.optimus.model.belief.LearningMode;
import io.optimus.model.plan.QueueSnapshot;
import java.util.List;
import java.util.function.Function;

/** The queues that a round plans. */
interface PlannedQueues {
    /**
     * Snapshots of the queues with all active jobs, in the order in which they are planned.
     *
     * @param learning how the jobs of a queue learn, by its path
     */
    List<QueueSnapshot> now(SimulationState state, Function<String, LearningMode> learning);
}
