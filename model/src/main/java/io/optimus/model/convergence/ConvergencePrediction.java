package io.optimus.model.convergence;

import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.convergence.RemainingSteps.Unknown;
import io.optimus.model.convergence.StopRule.FirstOf;
import io.optimus.model.convergence.StopRule.LossPlateau;
import io.optimus.model.convergence.StopRule.MaxEpochs;
import io.optimus.model.convergence.StopRule.TargetLoss;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurve;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Predicts from the fitted loss curve at which step the {@link StopDecision} will fall (Optimus, section 3.1).
 *
 * <p>An epoch's mean loss is taken to be the curve at its middle. Example: from one middle to the next, the inverse decay
 * with b0 = 0.01, b1 = 1, scale 1 falls by less than 1 % of a largest loss of 1 from step 851 on, with 100 steps an epoch,
 * so that the decrease from epoch 10 (middle 950) to epoch 11 is the first one below; with 3 in a row training ends after
 * epoch 13, step 1300. No epoch is walked through.
 *
 * <p>Of several rules the earliest counts. Every curve that is as plausible as the fitted one is asked the same: its
 * earliest and its latest end are the interval. It says how well the curve is known, not what the noise of single epochs
 * does to a rule that looks at single epochs.
 *
 * <p>Training that has run past the predicted end without an end, because real losses are noisy, is expected to end with
 * the epoch that it is in.
 */
public final class ConvergencePrediction {
    private final List<StopRule> rules;
    private final double stepsPerEpoch;

    /**
     * For a job.
     *
     * @param rule when it ends
     * @param stepsPerEpoch above 0 and finite
     */
    public ConvergencePrediction(StopRule rule, double stepsPerEpoch) {
        if (!(stepsPerEpoch > 0 && stepsPerEpoch < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("An epoch has above 0 steps, got " + stepsPerEpoch);
        }
        this.rules = single(rule).toList();
        this.stepsPerEpoch = stepsPerEpoch;
    }

    private static Stream<StopRule> single(StopRule rule) {
        return rule instanceof FirstOf first ? first.rules().stream().flatMap(each -> single(each)) : Stream.of(rule);
    }

    /**
     * Steps from {@code currentStep} to the end.
     *
     * @param fit what came of fitting the job's losses
     * @param largestLoss the largest mean loss of an epoch so far, as {@link
     *     io.optimus.model.curve.LossHistory#largestEpochLoss()} gives it
     * @param currentStep steps done; counts as 0 where it is not above 0
     */
    public RemainingSteps from(CurveFit fit, double largestLoss, double currentStep) {
        double step = currentStep > 0 ? currentStep : 0;
        Optional<LossCurve> curve = fit.fitted();
        if (curve.isEmpty() && !rules.stream().allMatch(MaxEpochs.class::isInstance)) {
            // A maximum of epochs alone does not make a prediction of the others.
            return new Unknown(fit.inWords());
        }
        End end = earliest(curve, largestLoss, step);
        if (!Double.isFinite(end.steps())) {
            return new Unknown(rules.stream()
                    .map(rule -> whyNever(rule, fit, curve.orElseThrow()))
                    .distinct()
                    .collect(Collectors.joining("; ")));
        }
        double fewest = end.steps();
        double most = end.steps();
        for (LossCurve plausible : fit.plausible()) {
            double steps = earliest(Optional.of(plausible), largestLoss, step).steps();
            fewest = Math.min(fewest, steps);
            most = Math.max(most, steps);
        }
        return new Predicted(end.steps(), fewest, most, end.step(), end.cause());
    }

    /** Where one rule ends training: steps from now, and the step; infinite where it never does. */
    private record End(double steps, double step, StopRule cause) {}

    private End earliest(Optional<LossCurve> curve, double largestLoss, double currentStep) {
        End earliest = new End(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, rules.get(0));
        for (StopRule rule : rules) {
            End end = end(rule, curve, largestLoss, currentStep);
            earliest = end.steps() < earliest.steps() ? end : earliest;
        }
        return earliest;
    }

    private End end(StopRule rule, Optional<LossCurve> curve, double largestLoss, double currentStep) {
        if (rule instanceof MaxEpochs maximum) {
            double end = maximum.epochs() * stepsPerEpoch;
            return new End(Math.max(0, end - currentStep), end, maximum);
        }
        double epoch = rule instanceof LossPlateau plateau
                ? plateau(plateau, curve.orElseThrow(), largestLoss)
                : target((TargetLoss) rule, curve.orElseThrow());
        double underWay = Math.floor(currentStep / stepsPerEpoch) + 1;
        double end = Math.max(epoch, underWay) * stepsPerEpoch;
        // Beyond 2^53 steps an epoch may be too short for a difference: one step is the least that can be left.
        return new End(Math.max(end - currentStep, Math.min(1, stepsPerEpoch)), end, rule);
    }

    /** The last epoch of the row; infinite where there is none. */
    private double plateau(LossPlateau of, LossCurve curve, double largestLoss) {
        // The first epoch before a decrease that counts: its middle is where the curve is slow enough, or later.
        return firstWithMiddleAt(curve.slowFrom(stepsPerEpoch, of.relativeDecrease() * largestLoss)) + of.epochs();
    }

    private double target(TargetLoss of, LossCurve curve) {
        return firstWithMiddleAt(curve.stepAt(of.loss()).orElse(Double.POSITIVE_INFINITY));
    }

    private double firstWithMiddleAt(double step) {
        return Math.max(1, Math.ceil(step / stepsPerEpoch + 0.5));
    }

    private static String whyNever(StopRule rule, CurveFit fit, LossCurve curve) {
        if (fit instanceof CurveFit.Diverging) {
            return fit.inWords();
        }
        if (rule instanceof TargetLoss target && curve.limit() >= target.loss()) {
            return String.format(
                    Locale.ROOT, "the loss levels off at %.4g, above the target of %.4g", curve.limit(), target.loss());
        }
        return "the loss falls so slowly that no end is in sight";
    }
}
