package io.optimus.model.policy.pollux;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The problem that Pollux searches (section 4.2): rows of replicas by node, one for each job, with two objectives.
 *
 * <pre>fitness = ( mean over jobs of (speed-up · share · nodes · restart factor + 0.001)^p )^(1/p),  p = −1
 * utility = max over resources of Σ over jobs of speed-up · amount of one replica / amount on the nodes in use</pre>
 *
 * <p>Speed-ups are over an equal part of the cluster. The share is the part of its dominant resource that a replica takes, so
 * that a whole node counts as 1. The restart factor counts if a row is not the present one. For a job that may not shrink,
 * the row has only the replicas beyond those that the job keeps.
 *
 * <p>Example: 2 jobs on 2 nodes of 4 GPUs, an equal part is 4 replicas, twice as fast as 1. 4 for each are worth 1 ·
 * 1/8 · 2 = 0.25 each, and 0.25 in the mean. 7 and 1, where 7 are 1.4 times as fast as 4, are worth 2/(1/0.35 +
 * 1/0.125) = 0.18.
 */
final class SearchProblem {
    /** Keeps the mean finite if a job has nothing. */
    private static final double LEAST = 1e-3;

    private final List<SearchedJob> jobs;
    private final int nodes;
    private final long[][] rooms;
    private final long[] budget;
    private final short[] current;
    private final double[] scale;

    /**
     * The problem of {@code jobs} on the nodes of {@code cluster}.
     *
     * @param cluster the resources that these jobs may use
     * @param jobs the jobs; those that come first take scarce resources first
     */
    SearchProblem(ClusterSnapshot cluster, ResourceAxes axes, List<SearchedJob> jobs) {
        this.jobs = jobs;
        this.nodes = cluster.nodes().size();
        this.rooms = cluster.nodes().stream()
                .map(node -> atLeastNothing(axes.amounts(node.available())))
                .toArray(long[][]::new);
        this.budget = atLeastNothing(axes.amounts(cluster.budget()));
        this.current = current(cluster.nodes());
        long[] total = new long[axes.size()];
        for (long[] room : rooms) {
            ResourceAxes.take(room, -1, total);
        }
        this.scale = jobs.stream()
                .mapToDouble(searched -> share(searched.amounts(), total) * nodes)
                .toArray();
    }

    private static long[] atLeastNothing(long[] amounts) {
        for (int axis = 0; axis < amounts.length; axis++) {
            amounts[axis] = Math.max(0, amounts[axis]);
        }
        return amounts;
    }

    private short[] current(List<NodeSnapshot> snapshots) {
        short[] rows = new short[jobs.size() * nodes];
        for (int job = 0; job < jobs.size(); job++) {
            System.arraycopy(jobs.get(job).current(snapshots), 0, rows, job * nodes, nodes);
        }
        return rows;
    }

    private static double share(long[] asked, long[] total) {
        double share = 0;
        for (int axis = 0; axis < asked.length; axis++) {
            if (asked[axis] > 0 && total[axis] > 0) {
                share = Math.max(share, (double) asked[axis] / total[axis]);
            }
        }
        return share;
    }

    int jobs() {
        return jobs.size();
    }

    int nodes() {
        return nodes;
    }

    SearchedJob searched(int job) {
        return jobs.get(job);
    }

    /** The room of a node for these jobs; not to be changed. */
    long[] room(int node) {
        return rooms[node];
    }

    /** The amounts that may be taken in all; not to be changed. */
    long[] budget() {
        return budget;
    }

    /** The present division; not to be changed. It may be invalid. */
    short[] current() {
        return current;
    }

    /** Replicas by node of one job. */
    short[] row(Individual individual, int job) {
        return Arrays.copyOfRange(individual.replicas(), job * nodes, (job + 1) * nodes);
    }

    Individual judged(short[] replicas) {
        double inverse = 0;
        double[] used = new double[budget.length];
        for (int job = 0; job < jobs.size(); job++) {
            SearchedJob searched = jobs.get(job);
            double speedup = speedup(replicas, job);
            for (int axis = 0; axis < used.length; axis++) {
                used[axis] += speedup * searched.amounts()[axis];
            }
            double kept = speedup * scale[job] * (isCurrent(replicas, job) ? 1 : searched.restartFactor());
            inverse += 1 / (kept + LEAST);
        }
        return new Individual(replicas, jobs.size() / inverse, utility(replicas, used));
    }

    private double speedup(short[] replicas, int job) {
        int count = 0;
        for (int cell = job * nodes; cell < (job + 1) * nodes; cell++) {
            count += replicas[cell];
        }
        return jobs.get(job).speedup(jobs.get(job).nodes(replicas, job * nodes), count);
    }

    private boolean isCurrent(short[] replicas, int job) {
        for (int cell = job * nodes; cell < (job + 1) * nodes; cell++) {
            if (replicas[cell] != current[cell]) {
                return false;
            }
        }
        return true;
    }

    private double utility(short[] replicas, double[] used) {
        long[] active = new long[budget.length];
        for (int node = 0; node < nodes; node++) {
            if (isActive(replicas, node)) {
                ResourceAxes.take(rooms[node], -1, active);
            }
        }
        double utility = 0;
        for (int axis = 0; axis < active.length; axis++) {
            utility = Math.max(utility, active[axis] > 0 ? used[axis] / active[axis] : 0);
        }
        return utility;
    }

    private boolean isActive(short[] replicas, int node) {
        for (int cell = node; cell < replicas.length; cell += nodes) {
            if (replicas[cell] > 0) {
                return true;
            }
        }
        return false;
    }

    /** The divisions of the last population, as far as their jobs and nodes are still there. */
    List<short[]> adapted(LastPopulation memory, List<String> nodeIds) {
        int[] jobBefore = jobs.stream()
                .mapToInt(searched -> memory.jobs().indexOf(searched.job().id()))
                .toArray();
        int[] nodeBefore = nodeIds.stream().mapToInt(memory.nodes()::indexOf).toArray();
        List<short[]> adapted = new ArrayList<>();
        for (short[] before : memory.divisions()) {
            short[] now = new short[current.length];
            for (int job = 0; job < jobBefore.length; job++) {
                for (int node = 0; node < nodeBefore.length; node++) {
                    if (jobBefore[job] >= 0 && nodeBefore[node] >= 0) {
                        now[job * nodes + node] =
                                before[jobBefore[job] * memory.nodes().size() + nodeBefore[node]];
                    }
                }
            }
            adapted.add(now);
        }
        return adapted;
    }
}
