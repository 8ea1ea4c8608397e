package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.List;

/**
 * One task after the other goes to the node where most is free: what cluster schedulers do that balance load and know
 * nothing of gradients, and what Optimus was compared with.
 *
 * <p>Most of what the task takes the largest part of: of GPUs for a worker with one, of cores for a parameter server. Jobs
 * come in ascending order of tasks, the roles of a job in step with each other; ties go to the first node id. Running
 * tasks stay where they are. A job without room for all its tasks gets those that have, at least its minimum, or waits.
 * Where a job would wait, running tasks beyond minimums make way as with {@link OptimusPlacer}.
 *
 * <p>Example: nodes A and B with 4 free GPUs, C with 3: a job of 4 workers of 1 GPU goes to A, B, A, B (with 3 free each then, A before C).
 */
public final class SpreadPlacer implements Placer {
    @Override
    public String name() {
        return "spread";
    }

    @Override
    public PlacementDecision place(ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision) {
        return PlacementPass.place(cluster, jobs, decision, Integer.MAX_VALUE, PlacingJob::spread);
    }
}
