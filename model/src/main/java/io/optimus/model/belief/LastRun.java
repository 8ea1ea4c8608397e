package io.optimus.model.belief;

import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;

/**
 * What was learned of the last run of a job that is run again and again. Short jobs often end before their reports tell anything.
 * Until they do, this run is expected to take half to twice as many steps as the last one, and most likely as many.
 *
 * <p>Example: the last run took 900 steps. At step 100, this run is expected to take 800 steps more, at least 350 and at most 1,700.
 * From step 900 on, the last run predicts nothing.
 *
 * @param speed steps per second by size, on GPUs of speed 1
 * @param steps its steps in all, above 0
 * @param brief whether it trained for less than a minute; its mean speed then predicts better than the first measurements of this
 *     run
 */
public record LastRun(SpeedFunction speed, double steps, boolean brief) {
    private static final double FACTOR = 2;

    /**
     * The job's own end where it is known and not vague, else that of the last run, as far as the losses of this one allow it.
     *
     * @param own the steps to the end by its own losses
     */
    RemainingSteps remaining(RemainingSteps own, double currentStep) {
        double left = steps - currentStep;
        if (own.toOptional().isPresent() || left <= 0) {
            return own;
        }
        double fewest = Math.max(0, steps / FACTOR - currentStep);
        double most = steps * FACTOR - currentStep;
        RemainingSteps asLastRun = new Predicted(left, fewest, most, steps, Optional.empty());
        return own.match(
                vague -> left >= vague.fewest() && left <= vague.most()
                        ? new Predicted(
                                left,
                                Math.max(fewest, vague.fewest()),
                                Math.min(most, vague.most()),
                                steps,
                                Optional.empty())
                        : vague,
                unknown -> unknown.contradicted() ? unknown : asLastRun);
    }
}
