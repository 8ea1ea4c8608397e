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

/**
 * The fits to a job's reports and the predictions from them.
 *
 * @param curve the fit of its losses
 * @param speed the fit of its speed function
 * @param believed the speed function of the job's sizes: the goodput or the fitted one or, before there is a fit, a typical
 *     one corrected by measurements; empty before the first measurement
 * @param goodput the goodput of a job that adapts its batch; empty for other jobs, and before it is measured
 * @param remaining steps to the end
 * @param lastRun predicts speed and end before the job's own reports do, for users only; policies do not use it
 * @param outlook how resizes move the predicted end, for users only; policies do not use it
 */
public record Estimate(
        CurveFit curve,
        SpeedFit speed,
        Optional<SpeedFunction> believed,
        Optional<Goodput> goodput,
        RemainingSteps remaining,
        Optional<LastRun> lastRun,
        Optional<Outlook> outlook) {
    /** The same with another outlook. */
    public Estimate with(Outlook foreseen) {
        return new Estimate(curve, speed, believed, goodput, remaining, lastRun, Optional.of(foreseen));
    }

    /** Whether its predictions are still poor. */
    public boolean young() {
        return curve.young() || (goodput.isEmpty() && speed.young());
    }

    /**
     * The speed on some tasks, in steps per second; empty if neither this run nor the last one was measured, and where the job
     * would stand still.
     *
     * @param allocation the tasks that it runs on
     * @param gpuSpeed the speed of their GPUs, relative to the GPUs of the speed function
     * @param currentStep the steps done
     */
    public OptionalDouble stepsPerSecond(Allocation allocation, double gpuSpeed, double currentStep) {
        double speed = expectedSpeed(currentStep)
                .filter(known -> allocation.workers() > 0)
                .map(known -> known.stepsPerSecond(allocation) * gpuSpeed)
                .orElse(0.0);
        return speed > 0 ? OptionalDouble.of(speed) : OptionalDouble.empty();
    }

    /**
     * The speed function that users see: the job's own or, before its first measurement, that of its last run. A brief last run is
     * preferred as long as the end is predicted by it, too.
     *
     * @param currentStep the steps done
     */
    public Optional<SpeedFunction> expectedSpeed(double currentStep) {
        boolean isAsLastRun = lastRun.map(LastRun::brief).orElse(false)
                && remainingSteps(currentStep) instanceof Predicted end
                && end.cause().isEmpty();
        Optional<SpeedFunction> last = lastRun.map(LastRun::speed);
        return isAsLastRun ? last : believed.or(() -> last);
    }

    /**
     * The steps to the end by its own reports, when the job has done some more since the estimate.
     *
     * @param currentStep the steps done
     */
    public RemainingSteps ownRemainingSteps(double currentStep) {
        return remaining instanceof Predicted predicted ? predicted.at(currentStep) : remaining;
    }

    /**
     * The steps to the end by its own reports or, while these tell none, by its last run.
     *
     * @param currentStep the steps done
     */
    public RemainingSteps remainingSteps(double currentStep) {
        RemainingSteps own = ownRemainingSteps(currentStep);
        return lastRun.map(last -> last.remaining(own, currentStep)).orElse(own);
    }

    /**
     * The predicted time to the end, with the resizes that are foreseen from {@code allocation} on; empty while it is unknown, or
     * where the job would stand still.
     *
     * @param allocation the tasks that it runs on
     * @param gpuSpeed the speed of their GPUs, relative to the GPUs of the speed function
     * @param currentStep the steps done
     */
    public Optional<RemainingTime> remainingTime(Allocation allocation, double gpuSpeed, double currentStep) {
        double factor = outlook.filter(foreseen -> foreseen.isFor(allocation, gpuSpeed))
                .map(Outlook::factor)
                .orElse(1.0);
        return remainingTimeOn(allocation, gpuSpeed, currentStep).map(time -> time.times(factor));
    }

    /** As {@link #remainingTime}, but if the job stays on {@code allocation}. */
    public Optional<RemainingTime> remainingTimeOn(Allocation allocation, double gpuSpeed, double currentStep) {
        OptionalDouble known = stepsPerSecond(allocation, gpuSpeed, currentStep);
        if (!(remainingSteps(currentStep) instanceof Predicted predicted) || known.isEmpty()) {
            return Optional.empty();
        }
        double stepsPerSecond = known.getAsDouble();
        return Optional.of(new RemainingTime(
                predicted.isVague() ? OptionalDouble.empty() : OptionalDouble.of(predicted.steps() / stepsPerSecond),
                predicted.fewest() / stepsPerSecond,
                predicted.most() / stepsPerSecond));
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
