package io.optimus.yarn.whatif;

import io.optimus.sim.forecast.ForecastResult;
import io.optimus.sim.forecast.JobForecast;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * The forecasts of a cluster as it is and with a change.
 *
 * @param before as it is
 * @param after with the change
 */
public record Effect(ForecastResult before, ForecastResult after) {
    /** Forecasts are not precise enough for more. */
    private static final double SAME_SECONDS = 1;

    /** The forecast of a job without the change; empty for a job that is part of the change. */
    public Optional<JobForecast> before(String job) {
        return Optional.ofNullable(before.jobs().get(job));
    }

    /** The forecast of a job with the change. */
    public Optional<JobForecast> after(String job) {
        return Optional.ofNullable(after.jobs().get(job));
    }

    /** The time by which the job ends later, below 0 if it ends sooner; empty if one of its ends is not predicted. */
    public OptionalDouble laterSeconds(String job) {
        OptionalDouble was = before(job).map(JobForecast::endSeconds).orElseGet(OptionalDouble::empty);
        OptionalDouble is = after(job).map(JobForecast::endSeconds).orElseGet(OptionalDouble::empty);
        return was.isPresent() && is.isPresent()
                ? OptionalDouble.of(is.getAsDouble() - was.getAsDouble())
                : OptionalDouble.empty();
    }

    /** The number of jobs that are there with and without the change. */
    public long jobs() {
        return before.jobs().size();
    }

    /** The sum of {@link #laterSeconds} over all jobs that have one. */
    public double sumLaterSeconds() {
        return before.jobs().keySet().stream()
                .map(this::laterSeconds)
                .flatMapToDouble(OptionalDouble::stream)
                .sum();
    }

    /** The number of jobs with an end in both forecasts. */
    public long compared() {
        return count(later -> true);
    }

    /** The mean of {@link #laterSeconds}; empty if no job has one. */
    public OptionalDouble meanLaterSeconds() {
        return compared() == 0 ? OptionalDouble.empty() : OptionalDouble.of(sumLaterSeconds() / compared());
    }

    public long later() {
        return count(seconds -> seconds > SAME_SECONDS);
    }

    public long sooner() {
        return count(seconds -> seconds < -SAME_SECONDS);
    }

    private long count(Predicate<Double> which) {
        return before.jobs().keySet().stream()
                .map(this::laterSeconds)
                .filter(OptionalDouble::isPresent)
                .map(OptionalDouble::getAsDouble)
                .filter(which)
                .count();
    }
}
