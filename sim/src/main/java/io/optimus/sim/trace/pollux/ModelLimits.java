package io.optimus.sim.trace.pollux;

import java.util.Map;
import java.util.OptionalInt;

/**
 * What holds for a model beside what its profile says.
 *
 * <p>Source: the artifact's table of applications, and its simulator's conditions on the name {@code ncf}.
 *
 * @param largestAtomicBatch the most samples that a replica computes at a time; that of the profile, if empty
 * @param mostReplicas of the model; as many as there are samples for, if empty
 * @param batch with which it trains even where jobs adapt their batches; it adapts it, if empty
 */
record ModelLimits(OptionalInt largestAtomicBatch, OptionalInt mostReplicas, OptionalInt batch) {
    private static final ModelLimits NONE =
            new ModelLimits(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());

    private static final Map<String, ModelLimits> PUBLISHED = Map.of(
            // It was measured with up to 16 samples, of which the artifact's jobs use 8.
            "yolov3", new ModelLimits(OptionalInt.of(8), OptionalInt.empty(), OptionalInt.empty()),
            // Its largest batch fits one GPU, and further GPUs make it slower.
            "ncf", new ModelLimits(OptionalInt.empty(), OptionalInt.of(1), OptionalInt.of(32_768)));

    /** Of a model by its name; none for one that was not published. */
    static ModelLimits of(String model) {
        return PUBLISHED.getOrDefault(model, NONE);
    }
}
