package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.List;

/**
 * The fewest servers, evenly split, and running tasks stay where they are.
 *
 * <p>For a given number of tasks, a synchronous job on equal servers is fastest on the fewest servers that hold it, with
 * equal numbers of parameter servers and of workers on each (Optimus, section 4.2). Jobs come in ascending order of
 * tasks; servers in descending order of free capacity, measured in the job's own mean task; the smallest k is taken
 * whose first k servers hold an even split. Where none does, the tasks go to the fewest servers as evenly as there is room;
 * where there is not room for all, the job shrinks in proportion, at least to its minimum, or waits.
 *
 * <p>Tasks cannot move: one leaves and another joins. So a running task stays unless its job shrinks, or its node has
 * no room for it any longer; a shrinking job leaves the nodes first where it has the fewest tasks; a growing one fills its
 * own nodes, then as few others as possible. Parameter servers go beside the workers; where there is no room for them, to
 * nodes that take no worker. Only where a job would otherwise wait for scattered room, running tasks
 * beyond the minimums of jobs that may shrink come behind everybody's minimum: they stay where room is left, and move where not.
 *
 * <p>Among equally few nodes, those in the fewest racks are taken ({@link FewerRacks}).
 *
 * <p>Where few jobs of several nodes may share a node, a job goes to one node, or to nodes that may take one more such job;
 * of the two, where more of its tasks have room. What runs already stays.
 *
 * <p>Example: nodes of 4 GPUs, a job of 2 ps + 6 workers of 1 GPU: two nodes with 1 ps + 3 workers each.
 */
public final class OptimusPlacer implements Placer {
    private final int distributedJobsPerNode;

    /** With any number of jobs on a node. */
    public OptimusPlacer() {
        this(Integer.MAX_VALUE);
    }

    private OptimusPlacer(int distributedJobsPerNode) {
        this.distributedJobsPerNode = distributedJobsPerNode;
    }

    @Override
    public Placer withDistributedJobs(int jobsPerNode) {
        return new OptimusPlacer(jobsPerNode);
    }

    @Override
    public String name() {
        return "optimus";
    }

    @Override
    public PlacementDecision place(ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision) {
        return PlacementPass.place(cluster, jobs, decision, distributedJobsPerNode, PlacingJob::extend);
    }
}
