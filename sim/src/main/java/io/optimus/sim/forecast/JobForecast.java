package io.optimus.sim.forecast;

import io.optimus.model.Allocation;
import io.optimus.model.plan.Proposal;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The forecast of one job. All times are seconds from the beginning of the forecast.
 *
 * @param first what the first round decides on it
 * @param startSeconds when it first holds tasks, 0 if it holds some at the beginning; empty if the forecast does not see it start
 * @param endSeconds when it ends; empty if its end is not predicted, or the forecast does not reach it
 * @param predictable whether the forecast has what it needs to reach its end: a speed and remaining steps
 * @param sizes its sizes, the oldest first; at most {@value #MOST_SIZES}
 * @param resizes number of changes of its tasks after its start
 */
public record JobForecast(
        Proposal first,
        OptionalDouble startSeconds,
        OptionalDouble endSeconds,
        boolean predictable,
        List<SizeAt> sizes,
        int resizes) {
    static final int MOST_SIZES = 100;

    /** The size that a job has from some time on. */
    public record SizeAt(double seconds, Allocation size) {}

    public JobForecast {
        sizes = List.copyOf(sizes);
    }
}
