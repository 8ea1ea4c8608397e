package io.optimus.sim.engine;

import io.optimus.model.belief.LearningMode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.QueueSnapshot;
import java.util.List;
import java.util.function.Function;

/** The queues that the jobs of a workload name, on the nodes that are up. */
final class WorkloadQueues implements PlannedQueues {
    @Override
    public List<QueueSnapshot> now(SimulationState state, Function<String, LearningMode> learning) {
        return new SimulatedQueues(state.active(), state.nodes().snapshot(), state.limits(), state.nowSeconds())
                .all().stream()
                        .map(queue -> snapshot(queue, SimulatedSnapshots.of(state, learning.apply(queue.path()))))
                        .toList();
    }

    private static QueueSnapshot snapshot(SimulatedQueues.Queue queue, SimulatedSnapshots snapshots) {
        Resources free = queue.free();
        return new QueueSnapshot(
                queue.path(),
                queue.cluster(),
                queue.limits().userBudgets(),
                queue.limits().jobsPerUser(),
                queue.keepsRunning(),
                queue.jobs().stream().map(job -> snapshots.queued(job, free)).toList());
    }
}
