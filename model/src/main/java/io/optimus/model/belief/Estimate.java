package io.optimus.model.belief;

import io.optimus.model.Allocation;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.throughput.Goodput;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/**
 * The fits to a job's reports and the predictions from them.
 *
 * @param curve the fit of its losses
 * @param speed the fit of its speed function
 * @param believed the speed function of the job's sizes: the goodput or the fitted one or, before there is a fit, a typical
 *     one corrected by measurements; empty before the first measurement
 * @param goodput the goodput of a job that adapts its batch; empty for other jobs, and before it is measured
 * @param remaining steps to the end
 */
public record Estimate(
        CurveFit curve,
        SpeedFit speed,
        Optional<SpeedFunction> believed,
        Optional<Goodput> goodput,
        RemainingSteps remaining) {
    /** Whether its predictions are still poor. */
    public boolean young() {
        return curve.young() || (goodput.isEmpty() && speed.young());
    }

    private boolean hasSpeed() {
        return goodput.isPresent() || speed.fitted().isPresent();
    }

    /**
     * The predicted time to the end; empty while it is unknown, or where the job would stand still.
     *
     * @param allocation the tasks that it runs on
     * @param gpuSpeed the speed of their GPUs, relative to the GPUs of the speed function
     */
    public Optional<RemainingTime> remainingTime(Allocation allocation, double gpuSpeed) {
        if (!(remaining instanceof Predicted predicted) || !hasSpeed() || allocation.workers() == 0) {
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
     * The part of the whole job that {@code steps} make up, 0 or more; empty while the end is not predicted.
     *
     * @param steps a number of steps, such as those run for exploring
     * @param currentStep the steps done
     */
    public OptionalDouble partOfWork(double steps, double currentStep) {
        OptionalDouble remainingSteps = remaining.toOptional();
        double whole = currentStep + remainingSteps.orElse(0);
        return remainingSteps.isPresent() && whole > 0 ? OptionalDouble.of(steps / whole) : OptionalDouble.empty();
    }
}
