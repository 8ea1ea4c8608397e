package io.optimus.model.belief;

import io.optimus.model.Allocation;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/**
 * What the reports of a job were fitted to.
 *
 * @param curve the fit of its losses
 * @param speed the fit of its speed function
 * @param believed the speed by the job's own sizes: fitted, or before there is a fit typical and through what was measured;
 *     empty before the first measurement
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
     * How long it still takes; empty while unknown, or where it would stand still.
     *
     * @param allocation that it runs on
     * @param gpuSpeed how fast the GPUs are there, over those that the speed function is of
     */
    public Optional<RemainingTime> remainingTime(Allocation allocation, double gpuSpeed) {
        if (!(remaining instanceof Predicted predicted) || speed.fitted().isEmpty() || allocation.workers() == 0) {
            return Optional.empty();
        }
        DoubleUnaryOperator seconds = steps -> believed.orElseThrow().seconds(steps, allocation) / gpuSpeed;
        return Double.isFinite(seconds.applyAsDouble(predicted.steps()))
                ? Optional.of(new RemainingTime(
                        predicted.isVague()
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(seconds.applyAsDouble(predicted.steps())),
                        seconds.applyAsDouble(predicted.fewest()),
                        seconds.applyAsDouble(predicted.most())))
                : Optional.empty();
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
