package io.optimus.model.convergence;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.convergence.StopRule.FirstOf;
import io.optimus.model.convergence.StopRule.MaxEpochs;
import io.optimus.model.convergence.StopRule.TargetLoss;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.curve.LossCurve.PowerLaw;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.curve.WeightedCurve;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.assertj.core.data.Percentage;
import org.junit.Test;

public final class TargetEndsTest {
    private static final double STEPS_PER_EPOCH = 20;

    @Test
    public void takesTheMedianOverTheLimitsBelowTheTarget() {
        Map<Double, Double> endByLimit = Map.of(0.0, 30.0, 0.25, 40.0, 0.5, 60.0);
        List<WeightedCurve> alike = endByLimit.keySet().stream()
                .map(limit -> new WeightedCurve(new PowerLaw(1, 1, 1, limit, 0), 1))
                .toList();

        EndEpochs end = TargetEnds.by(
                new TargetLoss(1), 20, alike, curve -> EndEpochs.certain(endByLimit.getOrDefault(curve.limit(), 0.0)));

        assertThat(end).isEqualTo(new EndEpochs(30, 40, 60));
    }

    @Test
    public void theLossesRuleATargetOut() {
        LossCurve below = new PowerLaw(1, 1, 1, 0, 0);
        LossCurve above = new PowerLaw(1, 1, 1, 1, 0);
        TargetLoss target = new TargetLoss(0.5);

        EndEpochs doubtful = TargetEnds.by(
                target,
                5,
                List.of(new WeightedCurve(below, 0.1), new WeightedCurve(above, 1)),
                curve -> EndEpochs.certain(9));
        EndEpochs clear = TargetEnds.by(
                target,
                5,
                List.of(new WeightedCurve(below, 0.001), new WeightedCurve(above, 1)),
                curve -> EndEpochs.certain(9));

        assertThat(doubtful.late()).isEqualTo(9);
        assertThat(clear.median()).isInfinite();
    }

    /** Ten decays, of which the fast ones end first, as in training: their sum falls below the limit of any curve through it. */
    @Test
    public void aLossThatKeepsFallingReachesItsTarget() {
        DoubleUnaryOperator losses = step -> {
            double sum = 0;
            for (int i = 0; i < 10; i++) {
                sum += 1.5 * Math.pow(0.55, i) * Math.exp(-step / (15 * Math.pow(2, i)));
            }
            return sum;
        };
        double target = 0.12;
        double end = 0;
        while (losses.applyAsDouble(end) > target) {
            end++;
        }
        for (double part : new double[] {1 / 3.0, 0.5, 0.75}) {
            double percent = part < 0.5 ? 40 : 20;
            Predicted predicted = predicted(losses, 0.05, part * end, target);

            assertThat(predicted.cause()).contains(new TargetLoss(target));
            assertThat(predicted.isVague()).as("after " + part).isFalse();
            assertThat(predicted.endStep()).as("after " + part).isCloseTo(end, Percentage.withPercentage(percent));
        }
    }

    /** As in a network whose first steps only tell its units apart. */
    @Test
    public void aLossThatHasLeftAPlateauGoesOnToFall() {
        double target = 0.65;
        double end = 480 + 120 * Math.log(2.2 / (target - 0.1) - 1);
        double[] ratios = new double[21];
        for (int seed = 0; seed < ratios.length; seed++) {
            Random random = new Random(seed);
            DoubleUnaryOperator losses =
                    step -> (0.1 + 2.2 / (1 + Math.exp((step - 480) / 120))) * (1 + 0.02 * random.nextGaussian());
            ratios[seed] = afterMeans(losses, end / 2, target, STEPS_PER_EPOCH).endStep() / end;
        }
        Arrays.sort(ratios);

        assertThat(ratios[10]).as("predicted over true end, at half").isBetween(0.6, 1.6);
    }

    /** As with small batches: most losses are below the curve, and a few are far above it. The mean of their noise is 1. */
    @Test
    public void skewedNoiseDoesNotMakeAnEndEarlier() {
        LossCurve truth = new PowerLaw(2, 0.005, 0.8, 0, 0);
        double target = 0.12;
        double end = truth.stepAt(target).orElseThrow();
        double[] errors = new double[50];
        for (int seed = 0; seed < errors.length; seed++) {
            Random random = new Random(seed);
            DoubleUnaryOperator losses =
                    step -> truth.lossAt(step) * Math.exp(0.5 * random.nextGaussian() - 0.5 * 0.5 / 2);
            errors[seed] =
                    (afterMeans(losses, end / 2, target, 10 * STEPS_PER_EPOCH).endStep() - end) / (end / 2);
        }
        Arrays.sort(errors);

        // Ends fall on epochs, and so does a median.
        double middle = Arrays.stream(errors, 12, 38).average().orElseThrow();
        assertThat(middle).as("mean of the middle half of the errors at half").isBetween(-0.1, 0.1);
    }

    @Test
    public void aLossThatHasLevelledOffAboveItsTargetGoesOnToTheMaximum() {
        Predicted predicted = predicted(step -> 0.3 + Math.exp(-step / 100), 0.02, 1000, 0.12);

        assertThat(predicted.cause()).contains(new MaxEpochs(1000));
        assertThat(predicted.toOptional()).hasValue(19_000);
    }

    /** What is predicted after {@code steps} steps from noisy means of five steps each. */
    private static Predicted predicted(DoubleUnaryOperator losses, double noise, double steps, double target) {
        Random random = new Random(7);
        return afterMeans(
                step -> losses.applyAsDouble(step) * (1 + noise * random.nextGaussian()),
                steps,
                target,
                STEPS_PER_EPOCH);
    }

    private static Predicted afterMeans(DoubleUnaryOperator means, double steps, double target, double stepsPerEpoch) {
        LossHistory history = new LossHistory(stepsPerEpoch);
        for (int step = 4; step < steps; step += 5) {
            history.add(new LossPoint(step, means.applyAsDouble(step - 2)));
        }
        CurveFit fit = new LossCurveFitter().fit(history);
        ConvergencePrediction prediction = new ConvergencePrediction(
                new FirstOf(List.of(new TargetLoss(target), new MaxEpochs(1000))), stepsPerEpoch);
        return (Predicted) prediction.from(fit, history.epochs(), steps);
    }
}
