package io.optimus.am.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.plain.PlainPerceptron;
import java.io.IOException;
import java.util.List;
import org.junit.Test;

public final class ScheduledRatesTest {
    @Test
    public void theRateDependsOnTheStepAndTheBatchOnly() throws IOException {
        LearningRateSchedule schedule =
                new LearningRateSchedule(0.5, 0.01, 0, new LearningRateSchedule.Step(List.of(2.0), 0.1));
        try (TrainingEngine engine =
                new ScheduledRates(new PlainPerceptron(Datasets.open("digits"), List.of(4)), schedule)) {
            engine.initialise(1);
            int half = engine.trainingSamples() / 2;

            for (int workers = 1; workers <= 3; workers++) {
                engine.step(part(workers, half, 3));
                assertThat(engine.groupSettings()).as("before epoch 2").containsExactly(0.5f, 0.01f);
                engine.step(part(workers, half + 1, 4));
                assertThat(engine.groupSettings()).as("after it").containsExactly(0.05f, 0.01f);
            }
        }
    }

    private static StepPart part(int workers, int batch, long step) {
        return new StepPart(
                new StepPart.Worker(workers - 1, workers, batch), step, 0, 2, batch, count -> new int[] {3, 4});
    }
}
