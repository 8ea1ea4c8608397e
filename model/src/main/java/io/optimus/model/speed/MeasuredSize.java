package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.Comparator;

/**
 * The measured speed of one size on one number of nodes.
 *
 * @param allocation the size
 * @param nodes the number of nodes that it was on, 1 or more
 * @param stepsPerSecond the mean, above 0 and finite
 * @param standardError of that mean, relative, 0 or more
 * @param weight 1 for a recent measurement, less for an old one, above 0
 */
public record MeasuredSize(
        Allocation allocation, int nodes, double stepsPerSecond, double standardError, double weight) {
    /** Orders by allocation, then by nodes. */
    static final Comparator<MeasuredSize> ORDER =
            Comparator.comparing(MeasuredSize::allocation).thenComparing(MeasuredSize::nodes);

    /** Throws if no fit can use the numbers. */
    public MeasuredSize {
        if (!(stepsPerSecond > 0 && stepsPerSecond < Double.POSITIVE_INFINITY)
                || Math.min(allocation.parameterServers(), allocation.workers()) < 1) {
            throw new IllegalArgumentException(
                    "A measured speed must be above 0 steps per second on a task of each role, got " + stepsPerSecond
                            + " on " + allocation);
        }
        if (nodes < 1 || !(standardError >= 0 && weight > 0 && weight <= 1)) {
            throw new IllegalArgumentException(
                    "A measured size must be on 1 node or more, with an error of 0 or more and a weight in (0, 1], got "
                            + nodes + " nodes, " + standardError + " and " + weight);
        }
    }
}
