package io.optimus.model.belief;

import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;

/**
 * What was learned of the last run of a job that is run again and again. It stands in for what the job's own reports do not tell
 * yet, and those of short jobs never do before they end. The job is taken to need as many steps, within a factor of two.
 *
 * <p>Example: the last run took 900 steps. At step 100 of this run, 800 steps are left, at least 350 and at most 1,700. At step
 * 900, nothing is known any more.
 *
 * @param speed steps per second by size, on GPUs of speed 1
 * @param steps its steps in all, 1 or more
 */
public record LastRun(SpeedFunction speed, double steps) {
    private static final double FACTOR = 2;

    /** The steps to the end at {@code currentStep}: the job's {@code own} prediction, if it is precise enough for a figure. */
    RemainingSteps remaining(RemainingSteps own, double currentStep) {
        if (own.toOptional().isPresent() || currentStep >= steps) {
            return own;
        }
        return new Predicted(
                steps - currentStep,
                Math.max(0, steps / FACTOR - currentStep),
                steps * FACTOR - currentStep,
                steps,
                Optional.empty());
    }
}
