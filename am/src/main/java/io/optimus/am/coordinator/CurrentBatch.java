package io.optimus.am.coordinator;

import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.GradientNoise;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The batch of a job that adapts it.
 *
 * @param limits the batches that it may train with
 * @param samples of a step of all workers, 1 or more
 * @param accumulate in how many more parts than one each worker computes its samples, 0 or more
 * @param noise the gradient's noise of a batch of the initial size; empty before enough steps were measured
 * @param updates the steps so far, whatever their batch
 */
public record CurrentBatch(
        BatchLimits limits, int samples, int accumulate, Optional<GradientNoise> noise, long updates) {
    /** How many steps of the initial batch a step is worth, 1 or more; empty before enough steps were measured. */
    public OptionalDouble gain() {
        return noise.map(known -> OptionalDouble.of(known.gain((double) samples / limits.initialBatch())))
                .orElse(OptionalDouble.empty());
    }

    /** The batch at which noise and gradient are equally large; empty before it was measured, or without a gradient. */
    public OptionalDouble noiseScale() {
        return noise.map(known -> known.scale(limits.initialBatch()))
                .filter(Double::isFinite)
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
    }
}
