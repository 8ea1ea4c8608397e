package io.optimus.model.throughput;

/**
 * Seconds of a step of all-reduce training on K replicas with m samples each (Pollux, section 3.2):
 *
 * <pre>
 * T_grad = a + b·m
 * T_sync = 0 for K = 1;  a_r + b_r·(K − 2) on one node;  a_n + b_n·(K − 2) across nodes
 * T_step = (T_grad^g + T_sync^g)^(1/g)
 * T_iter = s·T_grad + T_step, with s steps that accumulate gradients before
 * </pre>
 *
 * <p>g says how far computation and communication overlap: not at all at 1, almost completely at 10.
 *
 * <p>Example: a = 0.1, b = 0.01, a_r = 0.05, b_r = 0, g = 1. On 2 replicas of one node with 10 samples each, a step takes 0.1 +
 * 0.1 + 0.05 = 0.25 s; together with one accumulated step before it takes 0.45 s.
 *
 * @param secondsFixed a, above 0
 * @param secondsPerSample b, for each sample of a replica, above 0
 * @param secondsAcrossNodes a_n, for two replicas on two nodes, above 0
 * @param secondsPerReplicaAcrossNodes b_n, for each replica after the second, 0 or more
 * @param secondsWithinNode a_r, for two replicas on one node, above 0
 * @param secondsPerReplicaWithinNode b_r, for each replica after the second, 0 or more
 * @param overlap g, from 1 to 10
 */
public record AllReduceThroughput(
        double secondsFixed,
        double secondsPerSample,
        double secondsAcrossNodes,
        double secondsPerReplicaAcrossNodes,
        double secondsWithinNode,
        double secondsPerReplicaWithinNode,
        double overlap) {

    /** T_grad: the seconds of the forward and backward pass of a replica over {@code atomicBatch} samples. */
    public double gradientSeconds(int atomicBatch) {
        return secondsFixed + secondsPerSample * atomicBatch;
    }

    /** T_sync: the seconds of the all-reduce of the gradients of {@code replicas} on {@code nodes}, both 1 or more. */
    public double synchronizationSeconds(int nodes, int replicas) {
        if (replicas <= 1) {
            return 0;
        }
        return nodes > 1
                ? secondsAcrossNodes + secondsPerReplicaAcrossNodes * (replicas - 2)
                : secondsWithinNode + secondsPerReplicaWithinNode * (replicas - 2);
    }

    /** T_step: the seconds of a step that ends with the all-reduce, without the accumulating steps before it. */
    public double stepSeconds(int nodes, int replicas, int atomicBatch) {
        return together(gradientSeconds(atomicBatch), synchronizationSeconds(nodes, replicas));
    }

    /** T_iter: the seconds of all steps from one update of the parameters to the next. */
    public double updateSeconds(int nodes, int replicas, BatchSplit batch) {
        double gradient = gradientSeconds(batch.atomicBatch());
        return batch.accumulatedSteps() * gradient + together(gradient, synchronizationSeconds(nodes, replicas));
    }

    /** (x^g + y^g)^(1/g), computed so that no power overflows. */
    private double together(double gradient, double synchronization) {
        double longer = Math.max(gradient, synchronization);
        double ratio = Math.min(gradient, synchronization) / longer;
        return ratio == 0 ? longer : longer * Math.pow(1 + Math.pow(ratio, overlap), 1 / overlap);
    }
}
