package io.optimus.model.convergence;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.convergence.RemainingSteps.Unknown;
import io.optimus.model.convergence.StopRule.FirstOf;
import io.optimus.model.convergence.StopRule.MaxEpochs;
import io.optimus.model.convergence.StopRule.TargetLoss;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.losses.AnnouncedBends;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Predicts the end of training whose loss levels off at 0.5, falls at epoch 30, and levels off at 0.1; 100 steps an epoch. */
public final class AnnouncedBendsPredictionTest {
    private static final int STEPS_PER_EPOCH = 100;
    private static final AnnouncedBends ANNOUNCED = new AnnouncedBends(List.of(30.0));
    private static final TargetLoss TARGET = new TargetLoss(0.2);

    private final LossCurveFitter fitter = new LossCurveFitter();

    private static double truth(double step) {
        return step < 3000 ? 0.5 + 1 / (1 + 0.02 * step) : 0.1 + 0.4 / (1 + 0.005 * (step - 3000));
    }

    /** The first epoch whose middle is at or below the target: 0.4 / (1 + 0.005·k) = 0.1 at k = 600. */
    private static final double END_EPOCH = 37;

    private RemainingSteps predicted(StopRule rule, AnnouncedBends bends, double epochs, long seed) {
        LossHistory history = new LossHistory(STEPS_PER_EPOCH);
        history.announce(bends);
        Random random = new Random(seed);
        for (long step = 20; step <= epochs * STEPS_PER_EPOCH; step += 20) {
            history.add(new LossPoint(step, truth((double) step) + 0.01 * random.nextGaussian()));
        }
        return new ConvergencePrediction(rule, STEPS_PER_EPOCH, bends)
                .from(fitter.fit(history), history.epochs(), epochs * STEPS_PER_EPOCH);
    }

    @Test
    public void saysThatTheEndBeyondABendIsUnknown() {
        assertThat(predicted(TARGET, ANNOUNCED, 25, 1))
                .isEqualTo(new Unknown("the learning rate falls at epoch 30, so the loss from then on is unknown"));
        assertThat(predicted(TARGET, AnnouncedBends.NONE, 25, 1))
                .isInstanceOf(Unknown.class)
                .asString()
                .contains("levels off");
    }

    @Test
    public void knowsThatTrainingEndsBetweenTheBendAndTheMaximum() {
        RemainingSteps remaining = predicted(new FirstOf(List.of(TARGET, new MaxEpochs(90))), ANNOUNCED, 25, 1);

        assertThat(remaining).isEqualTo(new Predicted(6500, 600, 6500, 9000, new MaxEpochs(90)));
    }

    @Test
    public void doesNotExtrapolateTheOldCurveWhenTheStepHasPassedTheBendButTheLossesHaveNot() {
        assertThat(predicted(TARGET, ANNOUNCED, 30.5, 1)).isInstanceOf(Unknown.class);
    }

    @Test
    public void predictsAnEndBeforeTheBendAsEver() {
        StopRule early = new TargetLoss(0.55);

        assertThat(predicted(early, ANNOUNCED, 5, 1)).isEqualTo(predicted(early, AnnouncedBends.NONE, 5, 1));
    }

    /** Of 120 predictions between epochs 25 and 35, the interval held the end in 119 with the announcement, and in 42 without. */
    @Test
    public void predictsTheEndBetterThanWithoutTheAnnouncement() {
        StopRule rule = new FirstOf(List.of(TARGET, new MaxEpochs(90)));
        Errors announced = new Errors();
        Errors detected = new Errors();
        for (long seed = 0; seed < 20; seed++) {
            for (double epoch = 25; epoch <= 35; epoch += 2) {
                announced.add(predicted(rule, ANNOUNCED, epoch, seed));
                detected.add(predicted(rule, AnnouncedBends.NONE, epoch, seed));
            }
        }
        System.out.println("end of training around a drop: announced " + announced + "; detected " + detected);
        assertThat(announced.within()).isGreaterThanOrEqualTo(114);
        assertThat(announced.within()).isGreaterThan(2 * detected.within());
    }

    private static final class Errors {
        private final List<Double> ofEnd = new ArrayList<>();
        private int within;
        private int unknown;

        void add(RemainingSteps remaining) {
            if (remaining instanceof Predicted predicted) {
                double step = predicted.endStep() - predicted.steps();
                double end = END_EPOCH * STEPS_PER_EPOCH;
                ofEnd.add(Math.abs(predicted.endStep() - end) / STEPS_PER_EPOCH);
                within += step + predicted.fewest() <= end && end <= step + predicted.most() ? 1 : 0;
            } else {
                unknown++;
            }
        }

        int within() {
            return within;
        }

        @Override
        public String toString() {
            double mean = ofEnd.stream().mapToDouble(error -> error).average().orElse(Double.NaN);
            return within + " intervals hold the end, " + unknown + " unknown of " + (ofEnd.size() + unknown)
                    + ", mean error " + Math.round(100 * mean) / 100.0 + " epochs";
        }
    }
}
