package io.optimus.sim.trace.pollux;

import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.BatchSplit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * All that was measured of a model.
 *
 * @param model its name
 * @param batches that it may train with
 * @param mostReplicas that it may have
 * @param fixedBatch with which it trains even where jobs adapt their batches; empty if it adapts it
 * @param stepTimes by placement and batch
 * @param epochs how its training goes
 */
record Profile(
        String model,
        BatchLimits batches,
        int mostReplicas,
        OptionalInt fixedBatch,
        StepTimes stepTimes,
        Epochs epochs) {

    /**
     * The batch of a job that does not adapt it; empty if it does.
     *
     * @param asked by its owner
     */
    OptionalInt batch(Batch rule, int asked) {
        return switch (rule) {
            case FIXED -> OptionalInt.of(asked);
            case ADAPTIVE -> fixedBatch;
        };
    }

    /** The most replicas of a job, 1 or more: each computes as many samples as were measured at least. */
    int mostReplicas(OptionalInt batch) {
        int samples = batch.orElse(batches.maxBatch());
        return Math.max(1, Math.min(mostReplicas, samples / batches.minAtomicBatch()));
    }

    /** How replicas compute a batch of a given size, or the first batch of one that is adapted. */
    Optional<BatchSplit> split(OptionalInt batch, int replicas) {
        return batches.split(batch.orElseGet(() -> batches.smallestBatch(replicas)), replicas);
    }
}
