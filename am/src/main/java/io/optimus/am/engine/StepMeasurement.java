package io.optimus.am.engine;

import io.optimus.model.throughput.GradientNoise;
import java.util.Optional;

/**
 * What a worker of a group has measured in a step, if its job adapts the batch.
 *
 * @param noise the gradient's noise of a batch of the initial size, smoothed over the last steps; empty while it is unknown
 * @param times how long the step took; empty for steps of which that is not known, such as a membership's first
 */
public record StepMeasurement(Optional<GradientNoise> noise, Optional<Times> times) {
    /** Nothing is measured. */
    public static final StepMeasurement NONE = new StepMeasurement(Optional.empty(), Optional.empty());

    /**
     * How long the parts of a step took.
     *
     * @param atomicBatch the most samples that the worker computed at a time, 1 or more
     * @param gradientSeconds mean time of a part's forward and backward pass
     * @param stepSeconds time of the last part, with the all-reduce
     */
    public record Times(int atomicBatch, double gradientSeconds, double stepSeconds) {}
}
