package io.optimus.model.policy.pollux;

import io.optimus.model.cluster.ResourceAxes;
import java.util.random.RandomGenerator;

/**
 * Makes a division valid. In this order: each node keeps at most one job of several nodes, the earliest; a job loses, at
 * random places, the replicas beyond its limit and the nodes beyond {@value SearchedJob#MOST_NODES}; later jobs lose what a
 * node has no room for and what the queue may not use; a job with less than its minimum loses all.
 */
final class Repair {
    private final SearchProblem problem;
    private final RandomGenerator random;
    private final int[] order;

    Repair(SearchProblem problem, RandomGenerator random) {
        this.problem = problem;
        this.random = random;
        this.order = new int[problem.nodes()];
        for (int node = 0; node < order.length; node++) {
            order[node] = node;
        }
    }

    /** Repairs in place. */
    void repair(short[] replicas) {
        keepDistributedJobsApart(replicas);
        for (int job = 0; job < problem.jobs(); job++) {
            cap(replicas, job);
        }
        for (int node = 0; node < problem.nodes(); node++) {
            fit(replicas, node);
        }
        long[] left = problem.budget().clone();
        for (int job = 0; job < problem.jobs(); job++) {
            budget(replicas, job, left);
        }
    }

    private void keepDistributedJobsApart(short[] replicas) {
        boolean[] taken = new boolean[problem.nodes()];
        for (int job = 0; job < problem.jobs(); job++) {
            int row = job * problem.nodes();
            SearchedJob searched = problem.searched(job);
            if (searched.nodes(replicas, row) > 1) {
                for (int node = 0; node < taken.length; node++) {
                    if (replicas[row + node] > 0 && !searched.keepsOn(node)) {
                        replicas[row + node] = taken[node] ? 0 : replicas[row + node];
                    }
                    taken[node] |= replicas[row + node] > 0 || searched.keepsOn(node);
                }
            }
        }
    }

    private int countOf(short[] replicas, int row) {
        int count = 0;
        for (int cell = row; cell < row + problem.nodes(); cell++) {
            count += replicas[cell];
        }
        return count;
    }

    /** Draws the nodes that lose replicas, if any must. */
    private void cap(short[] replicas, int job) {
        int row = job * problem.nodes();
        SearchedJob searched = problem.searched(job);
        if (countOf(replicas, row) <= searched.cap() && searched.nodes(replicas, row) <= SearchedJob.MOST_NODES) {
            return;
        }
        shuffleOrder();
        int left = searched.cap();
        int nodesLeft = searched.mostFurtherNodes();
        for (int node : order) {
            boolean allowed = searched.keepsOn(node) || nodesLeft > 0;
            int stays = allowed ? Math.min(left, replicas[row + node]) : 0;
            nodesLeft -= stays > 0 && !searched.keepsOn(node) ? 1 : 0;
            left -= stays;
            replicas[row + node] = (short) stays;
        }
    }

    private void shuffleOrder() {
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int node = order[i];
            order[i] = order[other];
            order[other] = node;
        }
    }

    private void fit(short[] replicas, int node) {
        long[] left = problem.room(node).clone();
        for (int job = 0; job < problem.jobs(); job++) {
            int cell = job * problem.nodes() + node;
            if (replicas[cell] > 0) {
                long[] amounts = problem.searched(job).amounts();
                replicas[cell] = (short) ResourceAxes.times(amounts, left, replicas[cell]);
                ResourceAxes.take(amounts, replicas[cell], left);
            }
        }
    }

    private void budget(short[] replicas, int job, long[] left) {
        int row = job * problem.nodes();
        int count = countOf(replicas, row);
        long[] amounts = problem.searched(job).amounts();
        int allowed = (int) ResourceAxes.times(amounts, left, count);
        if (allowed < problem.searched(job).min()) {
            allowed = 0;
        }
        for (int cell = row + problem.nodes() - 1; count > allowed; cell--) {
            int less = Math.min(replicas[cell], count - allowed);
            replicas[cell] -= (short) less;
            count -= less;
        }
        ResourceAxes.take(amounts, count, left);
    }
}
