package io.optimus.model.policy.pollux;

import io.optimus.model.cluster.NodeRoom.Hosting;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.division.Replicas;
import io.optimus.model.policy.division.Speedups;
import java.util.List;

/**
 * One job of a search and its limits. A job that may not shrink keeps its tasks where they are, and its row has only the
 * replicas beyond them.
 */
final class SearchedJob {
    /** The most nodes of a job: speeds are fitted up to this number. */
    static final int MOST_NODES = 16;

    /** A job may have this many times the most replicas that it ran on. */
    private static final int RAMP = 2;

    private final JobSnapshot job;
    private final Replicas replicas;
    private final long[] amounts;
    private final short[] kept;
    private final int keptCount;
    private final int keptNodes;
    private final int cap;
    private final Speedups speedups;
    private final double restartFactor;

    /**
     * The row of {@code job}.
     *
     * @param hosting how many of its replicas the nodes host
     * @param jobs the number of jobs that share the cluster
     * @param nodes the nodes, in the order of the row's elements
     */
    SearchedJob(JobSnapshot job, ResourceAxes axes, Hosting hosting, int jobs, List<NodeSnapshot> nodes) {
        this.job = job;
        this.replicas = new Replicas(job);
        this.amounts = axes.amounts(replicas.shape());
        this.kept = keeps(job) ? workers(job, nodes) : new short[nodes.size()];
        int count = 0;
        int on = 0;
        for (short here : kept) {
            count += here;
            on += here > 0 ? 1 : 0;
        }
        this.keptCount = count;
        this.keptNodes = on;
        long ramp =
                Math.max(replicas.min(), (long) RAMP * job.history().largest().workers());
        long more = Math.max(0, Math.min(ramp, replicas.max()) - keptCount);
        this.cap = (int) Math.min(more, Math.min(hosting.inAll(), Short.MAX_VALUE));
        int fair = Math.max(replicas.min(), Math.min(replicas.max(), hosting.fair(jobs)));
        // The reference is on one node, unless a replica is larger than a node.
        int mostNodes = Math.min(Math.max(MOST_NODES, keptNodes), nodes.size());
        this.speedups = new Speedups(job, replicas, keptCount + cap, mostNodes, fair, 1);
        this.restartFactor = job.restartFactor();
    }

    /** Whether {@code job} keeps the tasks that it has. */
    static boolean keeps(JobSnapshot job) {
        return !job.mayShrink() && !job.current().allocation().isNone();
    }

    private static short[] workers(JobSnapshot job, List<NodeSnapshot> nodes) {
        short[] row = new short[nodes.size()];
        for (int node = 0; node < row.length; node++) {
            row[node] = (short) Math.min(
                    Short.MAX_VALUE, job.current().on(nodes.get(node).id()).workers());
        }
        return row;
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

    /** The most replicas that its row may have now; 0 if the nodes host none. */
    int cap() {
        return cap;
    }

    /** The fewest replicas that its row may have, if it has any. */
    int min() {
        return keptCount > 0 ? 0 : replicas.min();
    }

    /** The most nodes that its row may have besides those where it keeps tasks. */
    int mostFurtherNodes() {
        return Math.max(0, MOST_NODES - keptNodes);
    }

    /** Whether it keeps tasks on {@code node}. */
    boolean keepsOn(int node) {
        return kept[node] > 0;
    }

    /** The nodes that it is on, if its row begins at {@code row} of {@code division}. */
    int nodes(short[] division, int row) {
        int nodes = keptNodes;
        for (int node = 0; node < kept.length; node++) {
            nodes += division[row + node] > 0 && kept[node] == 0 ? 1 : 0;
        }
        return nodes;
    }

    /** The speed over that on an equal part of the cluster, on {@code nodes} with {@code count} replicas in its row. */
    double speedup(int nodes, int count) {
        return speedups.of(nodes, keptCount + count);
    }

    /** The part of its speed that a change leaves. */
    double restartFactor() {
        return restartFactor;
    }

    /** Its row now. */
    short[] current(List<NodeSnapshot> nodes) {
        return keptCount > 0 ? new short[nodes.size()] : workers(job, nodes);
    }
}
