package io.optimus.model.throughput;

/**
 * Steps that were measured on one placement with one batch; as reported, so any number may be in it.
 *
 * @param nodes that replicas were on
 * @param replicas of the model, one a worker
 * @param atomicBatch samples that a replica computes at a time
 * @param accumulatedStepSeconds mean seconds of a step without all-reduce (T_grad)
 * @param stepSeconds mean seconds of a step that ends with the all-reduce (T_step), without steps that accumulate before
 */
public record ThroughputObservation(
        int nodes, int replicas, int atomicBatch, double accumulatedStepSeconds, double stepSeconds) {
    /** Neither faster nor slower is training, in seconds: it bounds the numbers that reach a fit. */
    private static final double SHORTEST = 1e-7;

    private static final double LONGEST = 1e7;

    /** Whether there can be such a step. */
    boolean isPlausible() {
        return nodes >= 1
                && replicas >= nodes
                && atomicBatch >= 1
                && accumulatedStepSeconds >= SHORTEST
                && accumulatedStepSeconds <= LONGEST
                && stepSeconds >= SHORTEST
                && stepSeconds <= LONGEST;
    }
}
