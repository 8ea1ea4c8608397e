package io.optimus.sim.trace.pollux;

import java.util.Map;
import java.util.OptionalInt;

/**
 * Limits of a model that its profile does not contain.
 *
 * <p>Source: the artifact's table of applications, and its simulator's conditions on the name {@code ncf}.
 *
 * @param largestAtomicBatch most samples that a replica computes at a time; if empty, the profile has the limit
 * @param mostReplicas most replicas of the model; if empty, as many as the batch has samples for
 * @param batch fixed batch of a model that cannot adapt its batch; empty if it can
 */
record ModelLimits(OptionalInt largestAtomicBatch, OptionalInt mostReplicas, OptionalInt batch) {
    private static final ModelLimits NONE =
            new ModelLimits(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());

    private static final Map<String, ModelLimits> PUBLISHED = Map.of(
            // It was measured with up to 16 samples, but the artifact's jobs use at most 8.
            "yolov3", new ModelLimits(OptionalInt.of(8), OptionalInt.empty(), OptionalInt.empty()),
            // Its largest batch fits one GPU, and further GPUs make it slower.
            "ncf", new ModelLimits(OptionalInt.empty(), OptionalInt.of(1), OptionalInt.of(32_768)));

    /** Returns the limits of a model by its name; a model that was not published has none. */
    static ModelLimits of(String model) {
        return PUBLISHED.getOrDefault(model, NONE);
    }
}
