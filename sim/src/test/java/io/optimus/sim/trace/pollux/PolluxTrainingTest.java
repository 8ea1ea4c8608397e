package io.optimus.sim.trace.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.assertj.core.data.Offset;
import org.junit.Test;

public class PolluxTrainingTest {
    private static final Offset<Double> ROUNDING = within(1e-9);

    private final Profile profile = Models.simple();
    private final SelfObservation self = new SelfObservation(profile.batches(), 4);

    private static Placement on(int... workersByNode) {
        Map<String, Allocation> byNode = new HashMap<>();
        for (int node = 0; node < workersByNode.length; node++) {
            byNode.put("n" + node, new Allocation(0, workersByNode[node]));
        }
        return Placement.of(byNode);
    }

    private PolluxTraining training(OptionalInt batch) {
        return new PolluxTraining(profile, batch, self);
    }

    @Test
    public void standsStillWithoutTasks() {
        PolluxTraining training = training(OptionalInt.of(20));
        training.place(Placement.NONE);

        assertThat(training.secondsToNextChange()).isInfinite();
        assertThat(training.stepsPerSecond()).isZero();
    }

    @Test
    public void countsStepsOfItsFixedBatch() {
        PolluxTraining training = training(OptionalInt.of(20));
        training.place(on(2));

        assertThat(training.stepsPerSecond()).isCloseTo(1, ROUNDING);
        assertThat(training.remainingSteps()).isCloseTo(300 / 1.5, ROUNDING);
        training.run(20);
        assertThat(training.remainingSteps()).isCloseTo(180, ROUNDING);
    }

    @Test
    public void endsWithItsLastEpochAtWholeSeconds() {
        PolluxTraining training = training(OptionalInt.of(20));
        training.place(on(2));

        // 100 / 1.5 = 66.7 s, then 200 / 1.5 = 133.3 s.
        assertThat(training.secondsToNextChange()).isEqualTo(67);
        training.run(67);
        assertThat(training.epoch()).isEqualTo(1);
        assertThat(training.secondsToNextChange()).isEqualTo(133);
        training.run(133);
        assertThat(training.ended()).isTrue();
        assertThat(training.remainingSteps()).isZero();
    }

    @Test
    public void keepsItsProgressOnOtherNodes() {
        PolluxTraining training = training(OptionalInt.of(20));
        training.place(on(2));
        training.run(30);
        training.place(on(1, 1));

        assertThat(training.stepsPerSecond()).as("2 s a step on 2 nodes").isCloseTo(0.5, ROUNDING);
        assertThat(training.remainingSteps()).isCloseTo(170, ROUNDING);
    }

    @Test
    public void accumulatesGradientsOfABatchBeyondOneGpu() {
        PolluxTraining training = training(OptionalInt.of(40));
        training.place(on(1));

        assertThat(training.stepsPerSecond()).as("40 samples in 2 parts").isCloseTo(0.5, ROUNDING);
    }

    @Test
    public void slowsDown() {
        PolluxTraining training = training(OptionalInt.of(20));
        training.place(on(2));
        training.slow(0.5);

        assertThat(training.stepsPerSecond()).isCloseTo(0.5, ROUNDING);
    }

    @Test
    public void adaptsItsBatchOnceItHasReportedOne() {
        PolluxTraining training = training(OptionalInt.empty());
        training.place(on(2));

        assertThat(training.stepsPerSecond()).as("the initial batch").isCloseTo(1, ROUNDING);
        assertThat(training.secondsToNextChange()).isEqualTo(30);
        training.run(30);
        assertThat(training.stepsPerSecond()).as("a larger batch").isGreaterThan(1.1);
        assertThat(training.remainingSteps()).isCloseTo(270, ROUNDING);
    }

    @Test
    public void reportsTheStepsOfRemainingEpochs() {
        PolluxTraining training = training(OptionalInt.of(40));
        training.place(on(2));

        assertThat(training.stepsAfterThisEpoch()).isCloseTo(105, ROUNDING);
        training.run(training.secondsToNextChange());
        assertThat(training.stepsAfterThisEpoch())
                .as("the last one is under way")
                .isEqualTo(1);
    }
}
