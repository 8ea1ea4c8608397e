package io.optimus.sim.forecast;

import io.optimus.model.belief.BeliefSource;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is known of a job when a forecast begins. The forecast takes what the scheduler believes for the truth.
 *
 * @param speed steps per second by size; empty if none was measured and none is assumed
 * @param remainingSteps steps to its end, 0 or more; empty if its end is not predicted
 * @param belief what its policy gets, at the beginning
 */
public record ForecastJob(Optional<SpeedFunction> speed, OptionalDouble remainingSteps, BeliefSource belief) {
    /** Whether the forecast can reach its end: it needs the speed and the remaining steps. */
    public boolean ends() {
        return speed.isPresent() && remainingSteps.isPresent();
    }
}
