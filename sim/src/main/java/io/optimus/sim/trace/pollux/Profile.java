package io.optimus.sim.trace.pollux;

import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.BatchSplit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * All measurements of a model.
 *
 * @param model name of the model
 * @param batches batches that the model may train with
 * @param mostReplicas most replicas
 * @param fixedBatch fixed batch of a model that cannot adapt its batch, else empty
 * @param stepTimes step times by placement and batch
 * @param epochs progress by epoch and batch
 */
record Profile(
        String model,
        BatchLimits batches,
        int mostReplicas,
        OptionalInt fixedBatch,
        StepTimes stepTimes,
        Epochs epochs) {

    /**
     * Returns the fixed batch of a job, empty if the job adapts its batch.
     *
     * @param asked batch that its owner asks for
     */
    OptionalInt batch(Batch rule, int asked) {
        return switch (rule) {
            case FIXED -> OptionalInt.of(asked);
            case ADAPTIVE -> fixedBatch;
        };
    }

    /** Returns the most replicas of a job, 1 or more: each computes at least the smallest measured number of samples. */
    int mostReplicas(OptionalInt batch) {
        int samples = batch.orElse(batches.maxBatch());
        return Math.max(1, Math.min(mostReplicas, samples / batches.minAtomicBatch()));
    }

    /** Returns how replicas compute a given batch, or the first batch if the job adapts its batch. */
    Optional<BatchSplit> split(OptionalInt batch, int replicas) {
        return batches.split(batch.orElseGet(() -> batches.smallestBatch(replicas)), replicas);
    }
}
