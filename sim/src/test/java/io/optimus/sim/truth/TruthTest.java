package io.optimus.sim.truth;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.job.Placement;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SpeedSample;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.Test;

public class TruthTest {
    private static final LossCurve CURVE = new InverseDecay(0.01, 1, 0.1, 2, 0);
    private static final StopRule STOP = new StopRule.LossPlateau(0.01, 3);

    private static Placement workers(int count) {
        return Placement.of(Map.of("n000", new Allocation(0, count)));
    }

    @Test
    public void trainsAtTheSpeedOfItsTasksUntilItsStepsAreDone() {
        SteppingTraining training =
                new SteppingTraining((SpeedFunction) size -> size.workers() == 1 ? 2 : 3, 100, Optional.empty());
        assertThat(training.secondsToNextChange()).isInfinite();

        training.place(workers(1));
        training.run(20);
        training.place(workers(2));
        assertThat(training.remainingSteps()).isEqualTo(60);
        assertThat(training.secondsToNextChange()).isEqualTo(20);

        training.slow(0.5);
        assertThat(training.secondsToNextChange()).isEqualTo(40);
        training.run(training.secondsToNextChange());
        assertThat(training.ended()).isTrue();
        assertThat(training.reports().takeSpeeds())
                .containsExactly(
                        new SpeedSample(new Allocation(0, 1), 2, 20), new SpeedSample(new Allocation(0, 2), 1.5, 40));
    }

    @Test
    public void endsWithTheEpochOfItsOwnRule() {
        // Without noise, from epoch 10 to 11 on, the mean loss of an epoch falls by less than 1 % of the first one.
        int epochs = new NoisyLosses(CURVE, 0, 100, 1).epochsUntil(STOP);

        assertThat(epochs).isBetween(12, 14);
        assertThat(new NoisyLosses(CURVE, 0.01, 100, 1).epochsUntil(STOP)).isBetween(6, 20);
    }

    @Test
    public void reportsEachLossOnceAndTheSameLossesForASeed() {
        NoisyLosses one = new NoisyLosses(CURVE, 0.05, 100, 7);
        NoisyLosses other = new NoisyLosses(CURVE, 0.05, 100, 7);
        one.epochsUntil(STOP);

        List<LossPoint> first = one.showUntil(55);
        List<LossPoint> then = one.showUntil(100);
        assertThat(first).extracting(LossPoint::step).containsExactly(9L, 19L, 29L, 39L, 49L);
        assertThat(then).hasSize(5);
        assertThat(other.showUntil(100)).containsAll(first).endsWith(then.toArray(LossPoint[]::new));
    }
}
