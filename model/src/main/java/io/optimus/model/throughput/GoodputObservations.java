package io.optimus.model.throughput;

import java.util.List;
import java.util.Optional;

/**
 * What a job that adapts its batch has measured of itself.
 *
 * @param limits the batches that it may train with
 * @param steps mean seconds of its steps by placement and batch, ordered; empty before the first step
 * @param noise the noise of its gradients, with a batch of the initial size; empty until it is known
 */
public record GoodputObservations(
        BatchLimits limits, List<ThroughputObservation> steps, Optional<GradientNoise> noise) {
    public GoodputObservations {
        steps = List.copyOf(steps);
    }
}
