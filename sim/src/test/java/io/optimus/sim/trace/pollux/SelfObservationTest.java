package io.optimus.sim.trace.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.losses.LossPoint;
import io.optimus.model.throughput.AllReduceThroughput;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.BatchSplit;
import io.optimus.model.throughput.Goodput;
import io.optimus.model.throughput.GradientNoise;
import org.junit.Test;

public final class SelfObservationTest {
    private static final BatchSplit TEN = new BatchSplit(10, 0);
    private static final GradientNoise NOISE = new GradientNoise(1, 2);

    private final SelfObservation self = new SelfObservation(new BatchLimits(10, 40, 5, 20), 4);

    @Test
    public void knowsNothingBeforeItsFirstStep() {
        assertThat(self.throughput()).isEmpty();
        assertThat(self.goodput()).isEmpty();
        assertThat(self.takeLosses()).isEmpty();
    }

    @Test
    public void fitsTheStepsThatItTook() {
        self.stepped(1, 1, TEN, new StepTime(1, 0), NOISE);
        self.stepped(1, 2, TEN, new StepTime(1.5, 0.5), NOISE);

        AllReduceThroughput fitted = self.throughput().orElseThrow();
        assertThat(fitted.stepSeconds(1, 1, 10)).isCloseTo(1, within(0.01));
        assertThat(fitted.stepSeconds(1, 2, 10)).isCloseTo(1.5, within(0.01));
    }

    @Test
    public void fitsAgainOnlyForANewPlacementOrBatch() {
        self.stepped(1, 1, TEN, new StepTime(1, 0), NOISE);
        AllReduceThroughput first = self.throughput().orElseThrow();

        self.stepped(1, 1, TEN, new StepTime(1.2, 0), NOISE);
        assertThat(self.throughput()).containsSame(first);

        self.stepped(1, 1, new BatchSplit(20, 0), new StepTime(2, 0), NOISE);
        assertThat(self.throughput().orElseThrow().stepSeconds(1, 1, 20)).isCloseTo(2, within(0.05));
    }

    @Test
    public void itsGoodputFollowsTheNoiseOfTheLastGradients() {
        self.stepped(1, 1, TEN, new StepTime(1, 0), NOISE);
        Goodput first = self.goodput().orElseThrow();

        self.stepped(1, 1, TEN, new StepTime(1, 0), NOISE);
        assertThat(self.goodput()).containsSame(first);

        GradientNoise more = new GradientNoise(1, 20);
        self.stepped(1, 1, TEN, new StepTime(1, 0), more);
        assertThat(self.goodput().orElseThrow().noise()).isEqualTo(more);
        assertThat(self.goodput().orElseThrow().throughput()).isEqualTo(first.throughput());
    }

    @Test
    public void returnsEachLossOnce() {
        LossPoint point = new LossPoint(100, 0.5);
        self.validated(point);

        assertThat(self.takeLosses()).containsExactly(point);
        assertThat(self.takeLosses()).isEmpty();
    }
}
