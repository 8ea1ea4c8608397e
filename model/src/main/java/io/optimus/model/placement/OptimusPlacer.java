package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.List;

/**
 * Places each job evenly on the fewest nodes that hold it, and keeps running tasks where they are.
 *
 * <p>For a given number of tasks, a synchronous job on equal nodes is fastest on the fewest nodes that hold it, with equal
 * numbers of parameter servers and of workers on each (Optimus, section 4.2). Jobs are placed in ascending order of tasks.
 * Nodes are taken in descending order of free capacity, measured in the job's mean task: the first k nodes, with the smallest k
 * that holds an even split. If no k does, the tasks go to the fewest nodes as evenly as the room allows. If not all tasks have
 * room, the job shrinks in proportion, at least to its minimum, or waits.
 *
 * <p>Tasks cannot move; a task would have to leave and another one to join. So a running task stays unless its job shrinks or
 * its node has lost the room. A shrinking job first leaves the nodes where it has the fewest tasks. A growing job fills its own
 * nodes, then as few others as possible. Parameter servers go beside the workers or, if there is no room, to nodes without room
 * for a worker. The minimums of all jobs are placed before the running tasks of jobs that may shrink only if a job would
 * otherwise wait because free resources are scattered.
 *
 * <p>Among equally few nodes, those in the fewest racks are taken ({@link FewerRacks}).
 *
 * <p>If the number of jobs of several nodes that share a node is limited, a job goes to one node, or to nodes that may take one
 * more such job, whichever has room for more of its tasks. Running tasks stay.
 *
 * <p>Example: nodes of 4 GPUs, a job of 2 ps + 6 workers of 1 GPU: two nodes with 1 ps + 3 workers each.
 */
public final class OptimusPlacer implements Placer {
    private final int distributedJobsPerNode;

    /** A placer without a limit on the jobs that share a node. */
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
