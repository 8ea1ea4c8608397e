package io.optimus.sim.engine;

import io.optimus.model.plan.QueueSnapshot;
import java.util.List;
import java.util.Set;

/** The queues with which a simulation begins, and what each may use when some of the jobs have ended. */
@FunctionalInterface
public interface QueueSource {
    /**
     * The queues at the beginning, in the order in which they are planned, as if {@code ended} had never been there. On the
     * nodes of a queue, what its own jobs hold counts as available, and what jobs of other queues hold does not.
     *
     * @param ended ids of jobs
     */
    List<QueueSnapshot> without(Set<String> ended);
}
