package io.optimus.model.throughput;

/**
 * The measured steps of one placement with one batch, as reported; its numbers may be invalid.
 *
 * @param nodes the number of nodes that the replicas were on
 * @param replicas the replicas of the model, one a worker
 * @param atomicBatch samples that a replica computes at a time
 * @param accumulatedStepSeconds mean seconds of a step without all-reduce (T_grad)
 * @param stepSeconds mean seconds of a step that ends with the all-reduce (T_step), without the accumulating steps before it
 */
public record ThroughputObservation(
        int nodes, int replicas, int atomicBatch, double accumulatedStepSeconds, double stepSeconds) {
    /** In seconds; no training step is shorter or longer, and the bounds keep absurd numbers from a fit. */
    private static final double SHORTEST = 1e-7;

    private static final double LONGEST = 1e7;

    /** Whether such a step is possible. */
    public boolean isPlausible() {
        return nodes >= 1
                && replicas >= nodes
                && atomicBatch >= 1
                && accumulatedStepSeconds >= SHORTEST
                && accumulatedStepSeconds <= LONGEST
                && stepSeconds >= SHORTEST
                && stepSeconds <= LONGEST;
    }
}
