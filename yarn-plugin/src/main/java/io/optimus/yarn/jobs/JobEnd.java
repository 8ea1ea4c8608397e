package io.optimus.yarn.jobs;

import io.optimus.model.losses.LossPoint;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The results that a job reports when it ends.
 *
 * @param losses its loss curve after the last announced bend
 * @param accuracy on held-out samples, from 0 to 1; empty if it was not measured
 * @param output the folder with its model and its result, as one line; empty if it wrote none
 */
public record JobEnd(List<LossPoint> losses, OptionalDouble accuracy, Optional<String> output) {
    /** The results of a job that did not report its end. */
    public static final JobEnd UNTOLD = new JobEnd(List.of(), OptionalDouble.empty(), Optional.empty());

    public JobEnd {
        losses = List.copyOf(losses);
    }

    /** The same with other losses. */
    public JobEnd withLosses(List<LossPoint> others) {
        return new JobEnd(others, accuracy, output);
    }
}
