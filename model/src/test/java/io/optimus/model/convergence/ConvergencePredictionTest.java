package io.optimus.model.convergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.convergence.RemainingSteps.Unknown;
import io.optimus.model.convergence.StopRule.FirstOf;
import io.optimus.model.convergence.StopRule.LossPlateau;
import io.optimus.model.convergence.StopRule.MaxEpochs;
import io.optimus.model.convergence.StopRule.TargetLoss;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.curve.LossCurve.ExponentialDecay;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.curve.LossCurve.PowerLaw;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.losses.EpochLosses;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class ConvergencePredictionTest {
    private static final CurveFit FALLING = fit(new InverseDecay(0.01, 1, 0, 1, 0));
    private static final CurveFit NOT_YET = new CurveFit.NotYet(3, 8);

    private final LossPlateau plateau = new LossPlateau(0.01, 3);

    @Test
    public void matchesTheExampleOfTheClassComment() {
        assertThat(new ConvergencePrediction(plateau, 100).from(FALLING, largest(1), 400))
                .isEqualTo(new Predicted(900, 900, 900, 1300, plateau));
    }

    /** Compares the closed form with epochs simulated one by one, where the rule decides as in the ApplicationMaster. */
    @Property(trials = 200)
    public void matchesTheStopRuleAppliedEpochByEpoch(
            @InRange(minDouble = 1e-4, maxDouble = 0.05) double b0,
            @InRange(minDouble = 0.005, maxDouble = 0.05) double threshold,
            @InRange(minInt = 1, maxInt = 10) int epochs,
            @InRange(minDouble = 0, maxDouble = 0.5) double limit,
            @InRange(minInt = 0, maxInt = 2) int family) {
        LossCurve curve =
                switch (family) {
                    case 0 -> new InverseDecay(b0, 1, limit, 3, 0);
                    case 1 -> new PowerLaw(3, b0, 0.5, limit, 0);
                    default -> new ExponentialDecay(3, b0 / 5, limit, 0);
                };
        LossPlateau rule = new LossPlateau(threshold, epochs);
        List<Double> means = new ArrayList<>();
        while (rule.stop(means).isEmpty()) {
            means.add(meanOfEpoch(curve, means.size()));
        }
        Predicted predicted =
                (Predicted) new ConvergencePrediction(rule, 100).from(fit(curve), largest(means.get(0)), 0);

        assertThat(Math.abs(predicted.endStep() / 100 - means.size())).isLessThanOrEqualTo(1);
    }

    @Test
    public void predictsWhenATargetLossIsReached() {
        TargetLoss target = new TargetLoss(0.1);

        // The curve is at 0.1 at step 900. The mean of epoch 10, whose middle is 950, is the first below it.
        assertThat(new ConvergencePrediction(target, 100).from(FALLING, largest(1), 0))
                .isEqualTo(new Predicted(1000, 1000, 1000, 1000, target));
        RemainingSteps never =
                new ConvergencePrediction(target, 100).from(fit(new InverseDecay(0.01, 1, 0.2, 1, 0)), largest(1), 0);
        assertThat(never).isEqualTo(new Unknown("the loss levels off at 0.2000, above the target of 0.1000", true));
        assertThat(never.toOptional()).isEmpty();
    }

    @Test
    public void predictsNoMoreThanTheMaximumOfEpochs() {
        MaxEpochs maximum = new MaxEpochs(5);
        StopRule rule = new FirstOf(List.of(plateau, maximum));

        assertThat(new ConvergencePrediction(rule, 100).from(FALLING, largest(1), 20))
                .isEqualTo(new Predicted(480, 480, 480, 500, maximum));
        assertThat(new ConvergencePrediction(rule, 100).from(FALLING, largest(1), 900))
                .isEqualTo(new Predicted(0, 0, 0, 500, maximum));
    }

    @Test
    public void predictsOnlyTheMaximumOfEpochsWithoutACurve() {
        MaxEpochs maximum = new MaxEpochs(5);
        StopRule both = new FirstOf(List.of(plateau, maximum));

        assertThat(new ConvergencePrediction(both, 100).from(NOT_YET, largest(0), 0))
                .isEqualTo(new Unknown("3 of the 8 loss points that a fit needs"));
        assertThat(new ConvergencePrediction(maximum, 100)
                        .from(NOT_YET, largest(0), 0)
                        .toOptional())
                .hasValue(500);
    }

    @Test
    public void predictsTheMaximumOfEpochsWhenTheTargetIsOutOfReach() {
        MaxEpochs maximum = new MaxEpochs(7);
        StopRule rule = new FirstOf(List.of(new TargetLoss(-1), maximum));

        assertThat(new ConvergencePrediction(rule, 100).from(FALLING, largest(1), 0))
                .isEqualTo(new Predicted(700, 700, 700, 700, maximum));
    }

    @Test
    public void predictsTheEndOfTheCurrentEpochOnceThePredictionHasPassed() {
        assertThat(new ConvergencePrediction(plateau, 100)
                        .from(FALLING, largest(1), 1950)
                        .toOptional())
                .hasValue(50);
        assertThat(new ConvergencePrediction(plateau, 100)
                        .from(FALLING, largest(1), 2000)
                        .toOptional())
                .hasValue(100);
    }

    @Test
    public void predictsAnEndAfterTheRunOfQuietEpochsWhenTheCurveIsFlat() {
        CurveFit flat = fit(new InverseDecay(0, 1, 0, 1, 1000));

        // From epoch 11 on (middle 1050), the loss is flat. The next three epochs are 12, 13 and 14.
        assertThat(new ConvergencePrediction(plateau, 100)
                        .from(flat, largest(1), 1200)
                        .toOptional())
                .hasValue(200);
    }

    @Test
    public void predictsBillionsOfEpochsWithoutIteratingOverThem() {
        CurveFit slow = fit(new InverseDecay(1e-12, 1, 0, 1, 0));
        LossPlateau strict = new LossPlateau(1e-25, 3);

        assertThat(new ConvergencePrediction(strict, 1)
                        .from(slow, largest(1), 0)
                        .toOptional()
                        .orElseThrow())
                .isGreaterThan(1e9)
                .isFinite();
    }

    @Property(trials = 500)
    public void predictsPositiveAndFiniteRemainingSteps(
            double b0, double b1, double threshold, double largest, double stepsPerEpoch, double currentStep) {
        LossCurve curve = new InverseDecay(Math.abs(b0), Math.abs(b1) + 1e-9, 0.1, 1, 0);
        StopRule rule = new LossPlateau(1e-300 + 0.99 * Math.abs(threshold), 3);
        double steps = 1e-3 + Math.abs(stepsPerEpoch) * 1e6;

        new ConvergencePrediction(rule, steps)
                .from(fit(curve), largest(largest), Math.scalb(currentStep, 60))
                .toOptional()
                .ifPresent(remaining -> assertThat(remaining).isPositive().isFinite());
    }

    /** With an epoch of a thousandth of a step, an epoch number is beyond 2^53. */
    @Test
    public void leavesStepsWhereDoublesCannotTellTwoEpochsApart() {
        predictsPositiveAndFiniteRemainingSteps(0, 0, 0, 0, 0, 7.8388437E-6);
    }

    @Test
    public void treatsAnInvalidStepAsTheFirst() {
        MaxEpochs maximum = new MaxEpochs(5);

        assertThat(new ConvergencePrediction(maximum, 100)
                        .from(NOT_YET, largest(0), Double.NaN)
                        .toOptional())
                .hasValue(500);
        assertThat(new ConvergencePrediction(maximum, 100)
                        .from(NOT_YET, largest(0), -7)
                        .toOptional())
                .hasValue(500);
    }

    /** Predicts at a third of noisy training. The bound on the error of predicted epochs is the paper's. */
    @Test(timeout = 30_000)
    public void predictsTheEpochsOfNoisyTrainingWithinAFifth() {
        LossCurve truth = new InverseDecay(0.004, 1.05, 0.08, 2.3, 0);
        Random random = new Random(11);
        double end = ((Predicted) new ConvergencePrediction(plateau, 100).from(fit(truth), largest(2), 0)).endStep();
        double[] errors = new double[100];
        int held = 0;
        for (int draw = 0; draw < errors.length; draw++) {
            LossHistory history = new LossHistory(100);
            for (int step = 5; step < end / 3; step += 5) {
                history.add(new LossPoint(step, truth.lossAt(step) * (1 + 0.05 * random.nextGaussian())));
            }
            Predicted predicted = (Predicted) new ConvergencePrediction(plateau, 100)
                    .from(new LossCurveFitter().fit(history), history.epochs(), end / 3);
            errors[draw] = Math.abs(predicted.endStep() / end - 1);
            held += predicted.fewest() <= 2 * end / 3 && 2 * end / 3 <= predicted.most() ? 1 : 0;
        }
        Arrays.sort(errors);

        System.out.printf(
                "noise 5 %%: epochs predicted at a third of the training off by %.0f %% in the median, %.0f %% in 9 of 10,"
                        + " %.0f %% at worst; the interval holds the end in %d of 100%n",
                100 * errors[50], 100 * errors[90], 100 * errors[99], held);
        assertThat(errors[90]).isLessThanOrEqualTo(0.2);
        assertThat(held).isGreaterThanOrEqualTo(80);
    }

    /** Without noise, training ends at epoch 13. Nine epochs are over. With noise, their means lie off the curve. */
    @Test
    public void predictsALaterEndAndAWiderIntervalWithNoise() {
        Predicted smooth = predicted(noisyEpochs(9, 0));
        Predicted noisy = predicted(noisyEpochs(9, 0.02));

        assertThat(smooth).isEqualTo(new Predicted(400, 400, 400, 1300, plateau));
        assertThat(noisy.fewest()).isLessThanOrEqualTo(400);
        assertThat(noisy.steps()).isGreaterThan(400);
        assertThat(noisy.most()).isGreaterThan(noisy.steps()).isFinite();
    }

    @Test
    public void countsQuietEpochsThatAreOver() {
        List<Double> falling = List.of(0.14, 0.12, 0.1);
        List<Double> quiet = List.of(0.14, 0.1, 0.1);

        assertThat(predicted(new EpochLosses(1, falling, 12)).endStep()).isEqualTo(1500);
        assertThat(predicted(new EpochLosses(1, quiet, 12)).endStep()).isEqualTo(1400);
    }

    /** A curve through all losses is still above 0.01 and noisy, but a loss of 0.005 cannot fall by 0.01. */
    @Test
    public void aLossNearZeroStaysQuiet() {
        List<Double> means = List.of(1.0, 0.2, 0.5, 0.1, 0.3, 0.05, 0.1, 0.005, 0.004);

        assertThat(predicted(new EpochLosses(1, means, 9))).isEqualTo(new Predicted(200, 200, 200, 1100, plateau));
    }

    /** A loss that has been negative may fall on. */
    @Test
    public void aLossNearZeroMayFallBelowIt() {
        List<Double> means = List.of(1.0, -0.2, 0.5, 0.1, 0.3, 0.05, 0.1, 0.005, 0.004);

        assertThat(predicted(new EpochLosses(1, means, 9)).most()).isGreaterThan(200);
    }

    @Test
    public void followsTheCurveWhenEarlierEpochsAreUnknown() {
        assertThat(predicted(new EpochLosses(1, List.of(0.1), 12)).endStep()).isEqualTo(1300);
        assertThat(predicted(new EpochLosses(1, List.of(0.1, 0.1), 12)).endStep())
                .isEqualTo(1300);
    }

    /** With noise, an epoch's mean may reach the target while the curve is still above it. */
    @Test
    public void predictsThatNoiseReachesATargetEarlier() {
        CurveFit fit = fit(new InverseDecay(0.01, 1, 0.1, 1, 0));
        EpochLosses noisy = noisy(new InverseDecay(0.01, 1, 0.1, 1, 0), 20, 0.02);

        RemainingSteps exact = new ConvergencePrediction(new TargetLoss(0.11), 100).from(fit, largest(1), 2000);
        RemainingSteps chance = new ConvergencePrediction(new TargetLoss(0.11), 100).from(fit, noisy, 2000);
        RemainingSteps never = new ConvergencePrediction(new TargetLoss(0.02), 100).from(fit, noisy, 2000);

        assertThat(exact.toOptional()).hasValue(8000);
        assertThat(chance.toOptional().orElseThrow()).isBetween(100.0, 7900.0);
        assertThat(never).isInstanceOf(Unknown.class);
    }

    @Property(trials = 100)
    public void doesNotDependOnTheUnitOfTheLoss(
            @InRange(minDouble = 1e-3, maxDouble = 1e3) double factor,
            @InRange(minDouble = 0, maxDouble = 0.05) double noise) {
        EpochLosses epochs = noisyEpochs(30, noise);
        EpochLosses scaled = new EpochLosses(
                factor * epochs.largest(),
                epochs.latest().stream().map(loss -> factor * loss).toList(),
                30);
        StopRule rule = new LossPlateau(0.011, 10);
        LossCurve curve = new InverseDecay(0.01, 1, 0, 1, 0);

        Predicted once = (Predicted) new ConvergencePrediction(rule, 100).from(fit(curve), epochs, 3000);
        Predicted times = (Predicted) new ConvergencePrediction(rule, 100).from(fit(curve.times(factor)), scaled, 3000);

        assertThat(times.endStep()).isCloseTo(once.endStep(), within(100.0));
        assertThat(once.fewest()).isLessThanOrEqualTo(once.steps());
        assertThat(once.steps()).isLessThanOrEqualTo(once.most());
    }

    @Test(timeout = 10_000)
    public void predictsQuicklyForSlowCurvesAndLongRuns() {
        CurveFit slow = fit(new PowerLaw(1, 1e-6, 0.1, 0, 0));
        EpochLosses noisy = noisyEpochs(30, 1e-5);

        assertThat(new ConvergencePrediction(new LossPlateau(1e-6, 10), 100)
                        .from(slow, noisy, 3000)
                        .toOptional()
                        .orElseThrow())
                .isGreaterThan(1e6)
                .isFinite();
        assertThat(new ConvergencePrediction(new LossPlateau(1e-6, Integer.MAX_VALUE), 100)
                        .from(slow, noisy, 3000)
                        .toOptional()
                        .orElseThrow())
                .isGreaterThan(100.0 * Integer.MAX_VALUE)
                .isFinite();
    }

    @Test
    public void reportsThatNoiseInterruptsEveryRun() {
        LossCurve flat = new InverseDecay(0, 1, 0, 1, 0);

        assertThat(new ConvergencePrediction(new LossPlateau(1e-6, 400), 100)
                        .from(fit(flat), noisy(flat, 30, 0.1), 3000))
                .isEqualTo(new Unknown(
                        "the losses of epochs are so noisy that no 400 epochs in a row are in sight that each decrease by"
                                + " less than 0.000100 %",
                        true));
    }

    private Predicted predicted(EpochLosses epochs) {
        return (Predicted) new ConvergencePrediction(plateau, 100).from(FALLING, epochs, 100 * epochs.ended());
    }

    private static EpochLosses noisyEpochs(int ended, double noise) {
        return noisy(new InverseDecay(0.01, 1, 0, 1, 0), ended, noise);
    }

    private static EpochLosses noisy(LossCurve curve, int ended, double noise) {
        Random random = new Random(4);
        List<Double> means = new ArrayList<>();
        for (int epoch = 0; epoch < ended; epoch++) {
            means.add(curve.lossAt(100 * epoch + 50) + noise * random.nextGaussian());
        }
        return new EpochLosses(1, means, ended);
    }

    @Test
    public void intervalHoldsTheEndsOfAllPlausibleCurves() {
        CurveFit fit = new CurveFit.Fitted(
                new InverseDecay(0.01, 1, 0, 1, 0),
                List.of(new InverseDecay(0.02, 1, 0, 1, 0), new InverseDecay(0.01, 1, 0.2, 1, 0)),
                List.of(),
                0.01,
                50,
                OptionalDouble.empty(),
                false);
        TargetLoss target = new TargetLoss(0.1);

        Predicted alone = (Predicted) new ConvergencePrediction(target, 100).from(fit, largest(1), 0);
        assertThat(alone).isEqualTo(new Predicted(1000, 500, Double.POSITIVE_INFINITY, 1000, target));

        StopRule bounded = new FirstOf(List.of(target, new MaxEpochs(30)));
        Predicted ended = (Predicted) new ConvergencePrediction(bounded, 100).from(fit, largest(1), 0);
        assertThat(ended).isEqualTo(new Predicted(1000, 500, 3000, 1000, target));
    }

    @Test
    public void ignoresAPredictionWhoseIntervalSpansMoreThanAFactorOfFour() {
        MaxEpochs cause = new MaxEpochs(5);

        assertThat(new Predicted(300, 100, 700, 400, cause).toOptional()).hasValue(300);
        assertThat(new Predicted(300, 100, 701, 400, cause).toOptional()).isEmpty();
        assertThat(new Predicted(300, 100, Double.POSITIVE_INFINITY, 400, cause).toOptional())
                .isEmpty();
    }

    @Test
    public void trustsAPredictionLessWhenItsIntervalIsWider() {
        MaxEpochs cause = new MaxEpochs(5);

        assertThat(new Predicted(300, 100, 300, 400, cause).trust()).isEqualTo(1);
        assertThat(new Predicted(300, 100, 200 * Math.sqrt(8) - 100, 400, cause).trust())
                .isCloseTo(0.5, within(1e-9));
        assertThat(new Predicted(300, 100, 700, 400, cause).trust()).isZero();
        assertThat(new Predicted(300, 100, Double.POSITIVE_INFINITY, 400, cause).trust())
                .isZero();
        assertThat(new Predicted(0, 0, 0, 0, cause).trust()).isEqualTo(1);
        assertThat(new Unknown("why").trust()).isZero();
    }

    @Test
    public void predictsADeclaredEndWithoutUncertainty() {
        MaxEpochs maximum = new MaxEpochs(5);

        assertThat(new ConvergencePrediction(maximum, 100).from(FALLING, largest(1), 120))
                .isEqualTo(new Predicted(380, 380, 380, 500, maximum));
    }

    @Test
    public void namesTheNestedRuleThatEndsTrainingFirst() {
        TargetLoss target = new TargetLoss(0.1);
        StopRule rule = new FirstOf(List.of(new FirstOf(List.of(plateau, target)), new MaxEpochs(50)));

        assertThat(((Predicted) new ConvergencePrediction(rule, 100).from(FALLING, largest(1), 0)).cause())
                .contains(target);
    }

    /** A loss that rises does not decrease: the run of quiet epochs begins at once. */
    @Test
    public void predictsThatADivergingJobEndsByItsPlateauRuleAndNeverByATarget() {
        CurveFit diverging =
                new CurveFit.Diverging(new ExponentialDecay(0, 1, 5, 1000), "the loss rises: 1 at the beginning");

        assertThat(new ConvergencePrediction(plateau, 100)
                        .from(diverging, largest(5), 1000)
                        .toOptional())
                .hasValue(400);
        assertThat(new ConvergencePrediction(new TargetLoss(0.1), 100).from(diverging, largest(5), 1000))
                .isEqualTo(new Unknown("the loss rises: 1 at the beginning", true));
        assertThat(new ConvergencePrediction(new FirstOf(List.of(new TargetLoss(0.1), new MaxEpochs(30))), 100)
                        .from(diverging, largest(5), 1000)
                        .toOptional())
                .hasValue(2000);
    }

    /** Earlier predictions, which may be of other steps, epochs, losses or fits, do not change the answer. */
    @Property(trials = 20)
    public void doesNotDependOnEarlierPredictions(@InRange(minInt = 0, maxInt = 1000) int seed) {
        Random random = new Random(seed);
        StopRule rule = new FirstOf(List.of(new LossPlateau(0.011, 5), new TargetLoss(0.08)));
        ConvergencePrediction asked = new ConvergencePrediction(rule, 100);
        for (int i = 0; i < 50; i++) {
            CurveFit fit =
                    random.nextInt(10) == 0 ? NOT_YET : fit(new InverseDecay(0.01, 1 + random.nextInt(2), 0, 1, 0));
            EpochLosses epochs = noisyEpochs(10 + random.nextInt(2), 0.02 * random.nextInt(2));
            double step = 1000 + random.nextInt(200);

            assertThat(asked.from(fit, epochs, step))
                    .isEqualTo(new ConvergencePrediction(rule, 100).from(fit, epochs, step));
        }
    }

    /** NaN would spread to the weights of all jobs. */
    @Property(trials = 300)
    public void trustIsBetweenZeroAndOneForAnyReportedLosses(long seed) {
        Random random = new Random(seed);
        double stepsPerEpoch = Math.pow(10, 15 * random.nextDouble());
        LossHistory history = new LossHistory(stepsPerEpoch);
        double tiny = Math.pow(10, -300 - 20 * random.nextDouble());
        int points = 20 + random.nextInt(60);
        for (long step = 0; step < points; step++) {
            history.add(new LossPoint(step, random.nextInt(20) == 0 ? tiny : 0));
        }
        CurveFit fit = new LossCurveFitter().fit(history);
        StopRule rule = new FirstOf(List.of(new LossPlateau(0.01, 3), new TargetLoss(tiny), new MaxEpochs(1000)));

        RemainingSteps remaining = new ConvergencePrediction(rule, stepsPerEpoch).from(fit, history.epochs(), points);

        assertThat(remaining.trust()).isBetween(0.0, 1.0);
        if (remaining instanceof Predicted predicted) {
            assertThat(predicted.fewest()).isLessThanOrEqualTo(predicted.steps());
            assertThat(predicted.most()).isGreaterThanOrEqualTo(predicted.steps());
        }
    }

    @Test
    public void rejectsAnEpochWithoutSteps() {
        assertThatThrownBy(() -> new ConvergencePrediction(plateau, 0)).hasMessageContaining("0.0");
    }

    private static double meanOfEpoch(LossCurve curve, int epoch) {
        double sum = 0;
        for (int step = 1; step <= 100; step++) {
            sum += curve.lossAt(100.0 * epoch + step);
        }
        return sum / 100;
    }

    /** The losses of a job of which only the largest mean of an epoch is known. */
    private static EpochLosses largest(double loss) {
        return new EpochLosses(loss, List.of(), 0);
    }

    private static CurveFit fit(LossCurve curve) {
        return new CurveFit.Fitted(curve, List.of(), List.of(), 0.01, 50, OptionalDouble.empty(), false);
    }
}
