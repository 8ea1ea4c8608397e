package io.optimus.am.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.progress.StepLosses.State;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.throughput.GradientNoise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.Test;

/** Counts samples, epochs and progress while the batch changes. */
public final class StepSamplesTest {
    /** Gain 1.6 at twice the batch: (3 + 1) / (3/2 + 1). */
    private static final GradientNoise NOISE = new GradientNoise(1, 3);

    private final StepSamples samples = new StepSamples(10, 100);
    private final List<LossPoint> points = new ArrayList<>();
    private final StepLosses losses = new StepLosses(samples, 1, 0, false, StepSamplesTest::goOn, points::add);

    private static Optional<StopRule.Stop> goOn(List<Double> epochs) {
        return Optional.empty();
    }

    @Test
    public void positionsFollowTheBatchOfEachStep() {
        samples.change(20, 25);
        assertThat(samples.position(19)).isEqualTo(190);
        assertThat(samples.position(20)).isEqualTo(200);
        assertThat(samples.position(22)).isEqualTo(250);
        assertThat(samples.batch(19)).isEqualTo(10);
        assertThat(samples.batch(20)).isEqualTo(25);
        assertThat(samples.endedBefore(23)).isEqualTo(2);
        assertThat(samples.endedBefore(24)).isEqualTo(3);
        assertThat(samples.stepsOf(3)).isEqualTo(24);
        assertThat(samples.stepsPerEpoch()).isEqualTo(10);
    }

    @Test
    public void aMembershipThatBeginsAgainReplacesItsBatch() {
        samples.change(20, 25);
        samples.change(20, 50);
        assertThat(samples.position(21)).isEqualTo(250);
        samples.change(20, 10);
        assertThat(samples.position(21)).isEqualTo(210);
        assertThat(samples.stepsOf(3)).isEqualTo(30);
    }

    @Test
    public void theEndIsNeverBeforeTheLastChange() {
        samples.change(40, 25);
        assertThat(samples.stepsOf(2)).isEqualTo(40);
    }

    @Test
    public void aStepIsWorthTheGainOfItsBatch() {
        samples.change(2, 20);
        assertThat(samples.worth(2)).as("the noise is unknown").isEqualTo(1);
        samples.measured(NOISE);
        assertThat(samples.worth(1)).isEqualTo(1);
        assertThat(samples.worth(2)).isEqualTo(1.6);
    }

    @Test
    public void lossesCountInStepsOfTheInitialBatch() {
        samples.measured(NOISE);
        samples.change(2, 20);
        losses.add(0, new double[] {9, 8, 7, 6, 5}, 0);
        assertThat(points)
                .containsExactly(
                        new LossPoint(0, 9),
                        new LossPoint(1, 8),
                        new LossPoint(2, 7),
                        new LossPoint(3, 6),
                        new LossPoint(5, 5));
        assertThat(losses.step()).isEqualTo(5);
        assertThat(losses.progress()).isEqualTo(2 + 3 * 1.6);
        assertThat(losses.epochs()).isEqualTo(0.8);
    }

    @Test
    public void anEpochIsWorthLessWithALargerBatch() {
        samples.measured(NOISE);
        assertThat(losses.stepsPerEpoch(4)).isEqualTo(10);
        losses.add(0, new double[10], 0);
        samples.change(10, 20);
        assertThat(losses.stepsPerEpoch()).isEqualTo(10);
        assertThat(losses.stepsPerEpoch(4))
                .as("one of 10 steps and three of 5 * 1.6")
                .isEqualTo(8.5);
    }

    @Test
    public void epochsEndThoughTheLossesOfTheirStepsAreLost() {
        losses.add(0, new double[] {2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4}, 0);

        losses.add(45, new double[] {3, 3, 3, 3, 3}, 0);

        assertThat(losses.endedEpochs()).isEqualTo(5);
        assertThat(losses.before(50).orElseThrow().epochLosses())
                .containsExactly(1.1, 4.0, Double.NaN, Double.NaN, 3.0);
        assertThat(losses.progress()).isEqualTo(50);
    }

    @Test
    public void aCheckpointKeepsPositionBatchProgressAndNoise() {
        samples.measured(NOISE);
        samples.change(2, 20);
        losses.add(0, new double[] {9, 8, 7, 6, 5}, 0);
        State state = losses.before(4).orElseThrow();

        StepSamples resumed = new StepSamples(10, 100);
        StepLosses after = new StepLosses(resumed, 1, 0, false, StepSamplesTest::goOn, points::add);
        after.restore(state);
        assertThat(after.step()).isEqualTo(4);
        assertThat(after.progress()).isEqualTo(2 + 2 * 1.6);
        assertThat(resumed.position(4)).isEqualTo(60);
        assertThat(resumed.batch(4)).isEqualTo(20);
        assertThat(resumed.noise()).contains(NOISE);
    }

    @Test
    public void stepsAfterAChangeOfTheBatchCountWithTheNewOne() {
        losses.add(0, new double[20], 0);
        samples.change(20, 25);
        StepSamples resumed = new StepSamples(10, 100);
        StepLosses after = new StepLosses(resumed, 1, 0, false, StepSamplesTest::goOn, points::add);

        after.restore(losses.certain());
        after.add(20, new double[2], 0);

        assertThat(resumed.position(22)).isEqualTo(250);
    }

    @Test
    public void checkpointsWithoutSamplesHadTheInitialBatch() {
        losses.restore(new State(7, List.of(), 0, 0, null, null));
        assertThat(losses.progress()).isEqualTo(7);
        assertThat(samples.position(7)).isEqualTo(70);
    }
}
