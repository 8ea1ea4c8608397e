package io.optimus.model.plan;

import io.optimus.model.Allocation;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is believed of a job.
 *
 * @param curve its loss curve
 * @param speed its speed function
 * @param believed the fitted speed function, a typical one through what was measured before there is a fit; empty
 *     before anything was measured
 * @param remaining steps to the end
 */
public record Estimate(CurveFit curve, SpeedFit speed, Optional<SpeedFunction> believed, RemainingSteps remaining) {

    /** Whether predictions from it are still poor. */
    public boolean young() {
        boolean youngCurve = !(curve instanceof CurveFit.Fitted fitted) || fitted.young();
        boolean youngSpeed = !(speed instanceof SpeedFit.Fitted fitted) || fitted.young();
        return youngCurve || youngSpeed;
    }

    /**
     * Predicted seconds to the end, finite; empty while unknown, or where it would stand still.
     *
     * @param allocation that it runs on
     * @param gpuSpeed how fast the GPUs are there, over those that the speed function is of
     */
    public OptionalDouble remainingSeconds(Allocation allocation, double gpuSpeed) {
        OptionalDouble steps = remaining.toOptional();
        Optional<SpeedFunction> function = speed.fitted();
        if (steps.isEmpty()
                || function.isEmpty()
                || Math.min(allocation.parameterServers(), allocation.workers()) == 0) {
            return OptionalDouble.empty();
        }
        double seconds = function.get().seconds(steps.getAsDouble(), allocation) / gpuSpeed;
        return Double.isFinite(seconds) ? OptionalDouble.of(seconds) : OptionalDouble.empty();
    }

    /**
     * Part of the whole job that {@code steps} are, 0 or more; empty while the end is not predicted.
     *
     * @param steps such as those that were run for exploring
     * @param currentStep steps done
     */
    public OptionalDouble partOfWork(double steps, double currentStep) {
        OptionalDouble remainingSteps = remaining.toOptional();
        double whole = currentStep + remainingSteps.orElse(0);
        return remainingSteps.isPresent() && whole > 0 ? OptionalDouble.of(steps / whole) : OptionalDouble.empty();
    }
}
