package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.List;

/**
 * Puts each task on the node with the most free resources, as load-balancing cluster schedulers do. Optimus was compared with
 * this.
 *
 * <p>The free amount of the task's dominant resource counts: GPUs for a worker with a GPU, cores for a parameter server. Jobs
 * are placed in ascending order of tasks, with the roles of a job in proportion; ties go to the first node id. Running tasks
 * stay where they are. A job without room for all its tasks gets those that have room, at least its minimum, or waits. If a job
 * would wait, the minimums of all jobs come first, as with {@link OptimusPlacer}.
 *
 * <p>Example: nodes A and B have 4 free GPUs and C has 3. A job of 4 workers with 1 GPU each goes to A, B, A, B: when A, B and C
 * have 3 free GPUs each, A comes first.
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
