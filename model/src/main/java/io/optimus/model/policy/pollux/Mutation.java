package io.optimus.model.policy.pollux;

import io.optimus.model.cluster.ResourceAxes;
import java.util.random.RandomGenerator;

/**
 * Changes a division at random: some rows become the present ones, some elements become zero, and on each node with room some
 * elements grow to a random number between their value and what the node hosts.
 *
 * <p>As in the authors' published simulator, the number of elements that grow is drawn by node. If it were drawn by job, a
 * child of many jobs would differ from its parents everywhere, and the search would leave GPUs idle while jobs wait.
 */
final class Mutation {
    /** The probability that a row becomes the present one. */
    private static final double RESET = 0.1;

    /** The probability that a row loses elements, and then that an element is lost. */
    private static final double THIN_ROW = 0.1;

    private static final double THIN_ELEMENT = 0.1;

    private final SearchProblem problem;
    private final RandomGenerator random;
    private final int[][] most;

    Mutation(SearchProblem problem, RandomGenerator random) {
        this.problem = problem;
        this.random = random;
        this.most = new int[problem.jobs()][problem.nodes()];
        for (int job = 0; job < problem.jobs(); job++) {
            for (int node = 0; node < problem.nodes(); node++) {
                most[job][node] =
                        (int) ResourceAxes.times(problem.searched(job).amounts(), problem.room(node), Short.MAX_VALUE);
            }
        }
    }

    void mutate(short[] replicas) {
        for (int job = 0; job < problem.jobs(); job++) {
            int row = job * problem.nodes();
            if (random.nextDouble() < RESET) {
                System.arraycopy(problem.current(), row, replicas, row, problem.nodes());
            }
            if (random.nextDouble() < THIN_ROW) {
                thin(replicas, row);
            }
        }
        long[][] free = free(replicas);
        for (int node = 0; node < problem.nodes(); node++) {
            raise(replicas, node, free[node]);
        }
    }

    private void thin(short[] replicas, int row) {
        for (int cell = row; cell < row + problem.nodes(); cell++) {
            if (random.nextDouble() < THIN_ELEMENT) {
                replicas[cell] = 0;
            }
        }
    }

    private long[][] free(short[] replicas) {
        long[][] free = new long[problem.nodes()][];
        for (int node = 0; node < free.length; node++) {
            free[node] = problem.room(node).clone();
            for (int job = 0; job < problem.jobs(); job++) {
                int count = replicas[job * problem.nodes() + node];
                if (count > 0) {
                    ResourceAxes.take(problem.searched(job).amounts(), count, free[node]);
                }
            }
        }
        return free;
    }

    /**
     * Raises, on average, one job on {@code node} and one more of the jobs that it has already.
     *
     * @param free the free amounts of the node before anything was raised
     */
    private void raise(short[] replicas, int node, long[] free) {
        int fitting = 0;
        int fittingAgain = 0;
        for (int job = 0; job < problem.jobs(); job++) {
            if (fits(job, free)) {
                fitting++;
                fittingAgain += replicas[job * problem.nodes() + node] > 0 ? 1 : 0;
            }
        }
        for (int job = 0; job < problem.jobs(); job++) {
            if (fits(job, free)) {
                int cell = job * problem.nodes() + node;
                double anywhere = 1.0 / fitting;
                double again = replicas[cell] > 0 ? 1.0 / fittingAgain : 0;
                if (random.nextDouble() < anywhere + again - anywhere * again) {
                    int more = Math.max(0, most[job][node] - replicas[cell]);
                    replicas[cell] += (short) random.nextInt(more + 1);
                }
            }
        }
    }

    private boolean fits(int job, long[] free) {
        return ResourceAxes.fits(problem.searched(job).amounts(), free);
    }
}
