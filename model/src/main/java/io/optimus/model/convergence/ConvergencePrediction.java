package io.optimus.model.convergence;

import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.convergence.RemainingSteps.Unknown;
import io.optimus.model.convergence.StopRule.FirstOf;
import io.optimus.model.convergence.StopRule.LossPlateau;
import io.optimus.model.convergence.StopRule.MaxEpochs;
import io.optimus.model.convergence.StopRule.TargetLoss;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Predicts from the fitted loss curve at which step the {@link StopDecision} will fall (Optimus, section 3.1).
 *
 * <p>An epoch's mean loss is taken to be the curve at its middle. From one middle to the next, the curve falls by
 *
 * <pre>scale · d / (a·(a + d)),  a = b0·(k − firstStep) + b1,  d = b0·stepsPerEpoch</pre>
 *
 * <p>which is below the threshold t from a = (√(d² + 4·d·scale/t) − d) / 2 on: no epoch is walked through. Example: b0 =
 * 0.01, b1 = 1, scale 1, 100 steps an epoch (d = 1), 1 % of a largest loss of 1: a = 9.51, so that k = 851 and the decrease
 * from epoch 10 (middle 950) to epoch 11 is the first one below; with 3 in a row training ends after epoch 13, step 1300.
 *
 * <p>Training that has run past the predicted end without an end, because real losses are noisy, is expected to end with
 * the epoch that it is in.
 */
public final class ConvergencePrediction {
    private final StopRule rule;
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
        this.rule = rule;
        this.stepsPerEpoch = stepsPerEpoch;
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
        return predict(rule, fit, largestLoss, currentStep > 0 ? currentStep : 0);
    }

    private RemainingSteps predict(StopRule of, CurveFit fit, double largestLoss, double currentStep) {
        if (of instanceof FirstOf first) {
            return first(first.rules(), fit, largestLoss, currentStep);
        }
        if (of instanceof MaxEpochs maximum) {
            double end = maximum.epochs() * stepsPerEpoch;
            return new Predicted(Math.max(0, end - currentStep), end, maximum);
        }
        Optional<LossCurve> curve = fit.fitted();
        if (curve.isEmpty()) {
            return new Unknown(fit.inWords());
        }
        if (of instanceof LossPlateau plateau) {
            return plateau(plateau, curve.get(), largestLoss, currentStep);
        }
        return target((TargetLoss) of, curve.get(), currentStep);
    }

    /** The earliest of those that can be predicted; a maximum of epochs alone does not make a prediction of the others. */
    private RemainingSteps first(List<StopRule> rules, CurveFit fit, double largestLoss, double currentStep) {
        List<String> unknown = new ArrayList<>();
        Predicted earliest = null;
        for (StopRule each : rules) {
            RemainingSteps remaining = predict(each, fit, largestLoss, currentStep);
            if (remaining instanceof Predicted predicted
                    && (earliest == null || predicted.steps() < earliest.steps())) {
                earliest = predicted;
            } else if (remaining instanceof Unknown reason) {
                unknown.add(reason.reason());
            }
        }
        boolean unfitted = fit.fitted().isEmpty() && !unknown.isEmpty();
        if (earliest == null || unfitted) {
            return new Unknown(String.join("; ", unknown));
        }
        return earliest;
    }

    private RemainingSteps plateau(LossPlateau of, LossCurve curve, double largestLoss, double currentStep) {
        double threshold = of.relativeDecrease() * largestLoss / curve.scale();
        double d = curve.b0() * stepsPerEpoch;
        // The class comment's root, without its difference of nearly equal numbers.
        double a = 2 * d / threshold / (Math.sqrt(d * d + 4 * d / threshold) + d);
        double slowFrom = curve.isFlat() || a <= curve.b1() ? 0 : (a - curve.b1()) / curve.b0();
        // The first epoch before a decrease that counts: its middle is on the curve, where the curve is slow enough.
        double before = Math.max(1, Math.ceil((curve.firstStep() + slowFrom) / stepsPerEpoch + 0.5));
        return endsWith(before + of.epochs(), currentStep, of);
    }

    private RemainingSteps target(TargetLoss of, LossCurve curve, double currentStep) {
        if (curve.stepAt(of.loss()).isEmpty()) {
            return new Unknown(String.format(
                    Locale.ROOT, "the loss levels off at %.4g, above the target of %.4g", curve.limit(), of.loss()));
        }
        double step = curve.stepAt(of.loss()).getAsDouble();
        return endsWith(Math.max(1, Math.ceil(step / stepsPerEpoch + 0.5)), currentStep, of);
    }

    private RemainingSteps endsWith(double epoch, double currentStep, StopRule cause) {
        double underWay = Math.floor(currentStep / stepsPerEpoch) + 1;
        double end = Math.max(epoch, underWay) * stepsPerEpoch;
        // Beyond 2^53 steps an epoch may be too short for a difference: one step is the least that can be left.
        double steps = Math.max(end - currentStep, Math.min(1, stepsPerEpoch));
        if (!Double.isFinite(steps)) {
            return new Unknown("the loss falls so slowly that no end is in sight");
        }
        return new Predicted(steps, end, cause);
    }
}
