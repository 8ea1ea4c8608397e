package io.optimus.model.convergence;

import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.convergence.RemainingSteps.Unknown;
import io.optimus.model.convergence.StopRule.MaxEpochs;
import io.optimus.model.convergence.StopRule.Single;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.losses.AnnouncedBends;
import io.optimus.model.losses.EpochLosses;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Predicts from the fitted loss curve at which step a {@link StopRule} will end training (Optimus, section 3.1).
 *
 * <p>The mean loss of an epoch is taken to be the curve at its middle plus noise. Example without noise, with 100 steps an
 * epoch: from step 851 on, the inverse decay with b0 = 0.01, b1 = 1, scale 1 falls by less than 1 % of a largest loss of 1
 * between two middles. The decrease from epoch 10 (middle 950) to epoch 11 is the first one below; with 3 in a row training
 * ends after epoch 13, at step 1300. With noise, an epoch is quiet with some probability; then the prediction is the median end
 * of a run of three quiet epochs, which continues the run so far, see {@link QuietRun}.
 *
 * <p>Of several rules the earliest one ends training. The interval reaches from the earliest to the latest end of all plausible
 * curves, noise included.
 *
 * <p>A curve says nothing of the steps after the next bend that the job announced. An end beyond it is unknown; where a maximum of
 * epochs is set, the end lies between the two. Example: the learning rate falls at epoch 30, and the curve so far would reach
 * the target in epoch 45. With a maximum of 90 epochs, training ends with one of the epochs 31 to 90.
 *
 * <p>Training that has run past its predicted end is expected to end with the epoch under way.
 *
 * <p>Immutable except for the last answer, which is cached: it holds for all steps of an epoch while neither the fit nor the
 * losses of epochs change. Safe for several threads: the cached answer is replaced as a whole.
 */
public final class ConvergencePrediction {
    private final List<Single> rules;
    private final double stepsPerEpoch;
    private final AnnouncedBends bends;
    private @Nullable Answered last;

    /** The arguments of the last prediction, and its answer by the current step. */
    private record Answered(
            CurveFit fit, EpochLosses epochs, double underWay, DoubleFunction<RemainingSteps> remaining) {
        boolean isOf(CurveFit otherFit, EpochLosses otherEpochs, double otherUnderWay) {
            return underWay == otherUnderWay && fit.equals(otherFit) && epochs.equals(otherEpochs);
        }
    }

    /**
     * Predicts the end of a job.
     *
     * @param rule the rule that ends its training
     * @param stepsPerEpoch above 0 and finite
     */
    public ConvergencePrediction(StopRule rule, double stepsPerEpoch) {
        this(rule, stepsPerEpoch, AnnouncedBends.NONE);
    }

    /**
     * Predicts the end of a job that announced where its loss curve bends.
     *
     * @param rule when its training ends
     * @param stepsPerEpoch above 0 and finite
     */
    public ConvergencePrediction(StopRule rule, double stepsPerEpoch, AnnouncedBends bends) {
        if (!(stepsPerEpoch > 0 && stepsPerEpoch < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("An epoch needs above 0 steps, got " + stepsPerEpoch);
        }
        this.rules = rule.singles().toList();
        this.stepsPerEpoch = stepsPerEpoch;
        this.bends = bends;
    }

    /**
     * The steps from {@code currentStep} to the end.
     *
     * @param fit the outcome of fitting the job's losses
     * @param epochs the mean losses of its epochs, as {@link io.optimus.model.losses.LossHistory#epochs()} gives them
     * @param currentStep steps done; a negative number or NaN counts as 0
     */
    public RemainingSteps from(CurveFit fit, EpochLosses epochs, double currentStep) {
        double step = currentStep > 0 ? currentStep : 0;
        double passed = Math.floor(step / stepsPerEpoch);
        // Beyond 2^53 epochs, doubles cannot tell one from the next.
        double underWay = Math.max(passed + 1, Math.nextUp(passed));
        Answered answered = last;
        if (answered == null || !answered.isOf(fit, epochs, underWay)) {
            answered = new Answered(fit, epochs, underWay, predicted(fit, epochs, underWay));
            last = answered;
        }
        return answered.remaining().apply(step);
    }

    /** The answer for each step of epoch {@code underWay}. */
    private DoubleFunction<RemainingSteps> predicted(CurveFit fit, EpochLosses epochs, double underWay) {
        Optional<LossCurve> curve = fit.fitted();
        if (curve.isEmpty() && !rules.stream().allMatch(MaxEpochs.class::isInstance)) {
            // A maximum of epochs does not tell when the other rules end training.
            RemainingSteps unknown = new Unknown(fit.inWords(), !(fit instanceof CurveFit.NotYet));
            return step -> unknown;
        }
        RuleEnds ends = new RuleEnds(fit, underWay, each -> new CurveEnd(each, epochs, stepsPerEpoch, underWay, bends));
        Single cause = rules.stream()
                .min(Comparator.comparingDouble(rule -> ends.by(rule).median()))
                .orElseThrow();
        EndEpochs end =
                rules.stream().map(ends::by).reduce(EndEpochs::orEarlier).orElseThrow();
        if (!Double.isFinite(end.median())) {
            CurveEnd fitted = ends.fitted();
            boolean bends = !(fit instanceof CurveFit.Diverging) && fitted.holdsUntil() < Double.POSITIVE_INFINITY;
            RemainingSteps unknown = new Unknown(
                    rules.stream()
                            .map(rule -> whyNever(rule, fit, fitted))
                            .distinct()
                            .collect(Collectors.joining("; ")),
                    !bends);
            return step -> unknown;
        }
        return step -> new Predicted(
                steps(end.median(), step),
                steps(end.early(), step),
                steps(end.late(), step),
                end.median() * stepsPerEpoch,
                cause);
    }

    /** The steps to the end of {@code epoch}; 0 only if it has passed. */
    private double steps(double epoch, double currentStep) {
        double left = epoch * stepsPerEpoch - currentStep;
        boolean over = epoch <= Math.floor(currentStep / stepsPerEpoch);
        // Beyond 2^53 steps, doubles cannot tell the ends of short epochs apart: at least one step is left.
        return over ? 0 : Math.max(left, Math.min(1, stepsPerEpoch));
    }

    private static String whyNever(Single rule, CurveFit fit, CurveEnd end) {
        if (fit instanceof CurveFit.Diverging) {
            return fit.inWords();
        }
        if (end.holdsUntil() < Double.POSITIVE_INFINITY) {
            BigDecimal epoch = BigDecimal.valueOf(end.holdsUntil()).stripTrailingZeros();
            return "the learning rate falls at epoch " + epoch.toPlainString()
                    + ", so the loss from then on is unknown";
        }
        String slow = "the loss falls so slowly that no end is in sight";
        return rule.match(
                plateau -> end.isNoisy()
                        ? String.format(
                                Locale.ROOT,
                                "the losses of epochs are so noisy that no %d epochs in a row are in sight that each"
                                        + " decrease by less than %.3g %%",
                                plateau.epochs(),
                                100 * plateau.relativeDecrease())
                        : slow,
                target -> end.curve().limit() >= target.loss()
                        ? String.format(
                                Locale.ROOT,
                                "the loss levels off at %.4g, above the target of %.4g",
                                end.curve().limit(),
                                target.loss())
                        : slow,
                maximum -> slow);
    }
}
