package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.optimus.am.engine.LearningRateSchedule;
import io.optimus.am.engine.LearningRateSchedule.Constant;
import io.optimus.am.engine.LearningRateSchedule.Cosine;
import io.optimus.am.engine.LearningRateSchedule.Step;
import io.optimus.am.engine.LearningRateSchedule.WarmRestarts;
import io.optimus.am.yaml.FileProblem;
import java.util.List;
import java.util.Optional;
import org.junit.Test;

public final class ScheduleKeysTest {
    private static final String JOB = "name: a\nmodel: mlp\ndataset: digits\noptimizer:\n";

    @Test
    public void hasNoScheduleByDefault() throws Exception {
        assertThat(schedule("  kind: sgd\n")).isEmpty();
        assertThat(schedule("  schedule: constant\n")).isEmpty();
    }

    @Test
    public void readsEachSchedule() throws Exception {
        assertThat(schedule("  schedule: step\n  stepEpochs: [30, 60.5]\n  weightDecay: 0.01\n"))
                .contains(new LearningRateSchedule(0.1, 0.01, 0, new Step(List.of(30.0, 60.5), 0.1)));
        assertThat(schedule("  schedule: step\n  stepEpochs: 7\n  stepFactor: 0.5\n"))
                .contains(new LearningRateSchedule(0.1, 0, 0, new Step(List.of(7.0), 0.5)));
        assertThat(schedule("  kind: adam\n  schedule: cosine\n  warmupEpochs: 2.5\nstop: {maxEpochs: 50}\n"))
                .contains(new LearningRateSchedule(0.001, 0, 2.5, new Cosine(50, 0)));
        assertThat(schedule("  schedule: warm-restarts\n  restartEpochs: 10\n  restartFactor: 2\n"))
                .contains(new LearningRateSchedule(0.1, 0, 0, new WarmRestarts(10, 2, 0)));
        assertThat(schedule("  warmupEpochs: 3\n")).contains(new LearningRateSchedule(0.1, 0, 3, new Constant()));
    }

    @Test
    public void travelsToTheTasks() throws Exception {
        JobSpec spec = spec("  schedule: step\n  stepEpochs: [30, 60.5]\n");

        assertThat(JobSpecJson.read(JobSpecJson.write(spec)).schedule()).isEqualTo(spec.schedule());
    }

    @Test
    public void refusesKeysOfAnotherSchedule() {
        assertThat(problems("  restartEpochs: 10\n"))
                .containsExactly(
                        "job.yaml:5:3: optimizer.restartEpochs: does not belong to the schedule constant: leave it"
                                + " out, or choose another optimizer.schedule");
        assertThat(problems("  schedule: cosine\n  stepFactor: 0.5\n"))
                .singleElement()
                .asString()
                .contains("optimizer.stepFactor: does not belong to the schedule cosine");
    }

    @Test
    public void refusesSchedulesThatLackAKey() {
        assertThat(problems("  schedule: step\n"))
                .singleElement()
                .asString()
                .contains("optimizer.stepEpochs: is required: epochs");
        assertThat(problems("  schedule: warm-restarts\n"))
                .singleElement()
                .asString()
                .contains("optimizer.restartEpochs: is required: length");
    }

    @Test
    public void refusesEpochsInTheWrongOrder() {
        assertThat(problems("  schedule: step\n  stepEpochs: [30, 30]\n"))
                .singleElement()
                .asString()
                .contains("optimizer.stepEpochs: 30.0 does not come after 30.0");
        assertThat(problems("  schedule: step\n  stepEpochs: [3]\n  warmupEpochs: 5\n"))
                .singleElement()
                .asString()
                .contains("3.0 is before the end of the warm-up at epoch 5.0");
        assertThat(problems("  schedule: step\n  stepEpochs: []\n"))
                .singleElement()
                .asString()
                .contains("0 epochs: give 1 to 100");
        assertThat(problems("  schedule: step\n  stepEpochs: [-1]\n"))
                .singleElement()
                .asString()
                .contains("-1 is out of range: above 0");
    }

    @Test
    public void refusesCosinesWithoutRoom() {
        assertThat(problems("  schedule: cosine\n  warmupEpochs: 9\nstop: {maxEpochs: 9}\n"))
                .singleElement()
                .asString()
                .contains("optimizer.warmupEpochs: 9.0 leaves no epoch to the cosine, which ends at stop.maxEpochs 9");
        assertThat(problems("  schedule: cosine\n  finalLearningRate: 0.2\n"))
                .singleElement()
                .asString()
                .contains("optimizer.finalLearningRate: 0.2 is above optimizer.learningRate, which is 0.1");
    }

    private static Optional<LearningRateSchedule> schedule(String optimizer) throws InvalidJobFileException {
        return spec(optimizer).schedule();
    }

    private static JobSpec spec(String optimizer) throws InvalidJobFileException {
        return JobFile.parse("job.yaml", JOB + optimizer, List.of()).spec();
    }

    private static List<String> problems(String optimizer) {
        InvalidJobFileException wrong = catchThrowableOfType(
                InvalidJobFileException.class, () -> JobFile.parse("job.yaml", JOB + optimizer, List.of()));
        return wrong.problems().stream().map(FileProblem::toString).toList();
    }
}
