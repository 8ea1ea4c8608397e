package io.optimus.model.policy.pollux;

import io.optimus.model.cluster.NodeRoom.Hosting;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.division.Replicas;
import io.optimus.model.policy.division.Speedups;
import java.util.List;

final class SearchedJob {
    /** The most nodes of a job: speeds are fitted up to this number. */
    static final int MOST_NODES = 16;

    /** A job may have this many times the most replicas that it ran on. */
    private static final int RAMP = 2;

    private final JobSnapshot job;
    private final Replicas replicas;
    private final long[] amounts;
    private final int cap;
    private final Speedups speedups;
    private final double restartFactor;

    /**
     * The row of {@code job}.
     *
     * @param jobs the number of jobs that share the cluster
     * @param nodes the number of nodes
     */
    SearchedJob(JobSnapshot job, ResourceAxes axes, Hosting hosting, int jobs, int nodes) {
        this.job = job;
        this.replicas = new Replicas(job);
        this.amounts = axes.amounts(replicas.shape());
        long ramp =
                Math.max(replicas.min(), (long) RAMP * job.history().largest().workers());
        this.cap = (int) Math.min(Math.min(ramp, replicas.max()), Math.min(hosting.inAll(), Short.MAX_VALUE));
        int fair = Math.max(replicas.min(), Math.min(replicas.max(), hosting.fair(jobs)));
        // The reference is on one node, unless a replica is larger than a node.
        this.speedups = new Speedups(job, replicas, cap, Math.min(MOST_NODES, nodes), fair, 1);
        this.restartFactor = job.restartFactor();
    }

    JobSnapshot job() {
        return job;
    }

    Replicas replicas() {
        return replicas;
    }

    long[] amounts() {
        return amounts;
    }

    /** The most replicas that it may have now; 0 if the nodes host none. */
    int cap() {
        return cap;
    }

    int min() {
        return replicas.min();
    }

    /** The speed over that on an equal part of the cluster. */
    double speedup(int nodes, int count) {
        return speedups.of(nodes, count);
    }

    /** The part of its speed that a change leaves. */
    double restartFactor() {
        return restartFactor;
    }

    /** Its replicas by node now. */
    short[] current(List<NodeSnapshot> nodes) {
        short[] row = new short[nodes.size()];
        for (int node = 0; node < row.length; node++) {
            row[node] = (short) Math.min(
                    Short.MAX_VALUE, job.current().on(nodes.get(node).id()).workers());
        }
        return row;
    }
}
