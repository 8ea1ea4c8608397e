package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** The step after which a job ends follows from its rule, seed and losses alone. */
public final class ExactEndTest {
    /** Training samples of the digits. */
    private static final int SAMPLES = 1_438;

    private static final int BATCH = 64;
    private static final StopRule.MaxEpochs NEVER = new StopRule.MaxEpochs(10_000);

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestJob job(TrainingMode mode, StopRule stop, long... stepMicros) throws IOException {
        TrainingSettings settings = new TrainingSettings(
                new TrainingSettings.Steps(
                        mode, Communication.PARAMETER_SERVER, BATCH, 1, new Optimizer.Sgd(0.05, 0.9, 0)),
                stop,
                OptionalDouble.empty(),
                new Allocation(1, 1),
                new Checkpoint(50, 3_600),
                new TrainingSettings.Timing(100, 3_000, 3_000, 5_000, 5_000, 0, 500, 60_000));
        AtomicInteger engines = new AtomicInteger();
        return new TestJob(
                settings,
                new LocalCheckpointStore(folder.newFolder().toPath()),
                1,
                () -> new SlowEngine(perceptron(), stepMicros[engines.getAndIncrement() % stepMicros.length]));
    }

    private static TrainingEngine perceptron() {
        try {
            return new PlainPerceptron(Datasets.open("digits"), List.of(16));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long stepsOf(int epochs) {
        return (SAMPLES * (long) epochs + BATCH - 1) / BATCH;
    }

    @Test
    public void asynchronousTrainingEndsWithTheLastStepOfItsLastEpoch() throws IOException {
        try (TestJob job = job(TrainingMode.ASYNCHRONOUS, new StopRule.MaxEpochs(12), 50, 900, 2_000)) {
            job.resizeTo(job.add(2, 4));
            TrainingResult result = job.awaitEnd();

            assertThat(result.steps()).isEqualTo(stepsOf(12));
            assertThat(result.epochs()).isBetween(12.0, 12 + BATCH / (double) SAMPLES);
        }
    }

    @Test
    public void asynchronousTrainingEndsExactlyAlsoAfterResizesAndLosses() throws IOException {
        try (TestJob job = job(TrainingMode.ASYNCHRONOUS, new StopRule.MaxEpochs(30), 500, 900, 1_500)) {
            Set<TaskId> members = new TreeSet<>(job.add(1, 2));
            job.resizeTo(members);
            job.awaitStep(60);
            members.addAll(job.add(1, 1));
            job.resizeTo(members);
            job.awaitStep(job.step() + 60);
            job.kill(TaskId.worker(0));

            assertThat(job.awaitEnd().steps()).isEqualTo(stepsOf(30));
        }
    }

    @Test
    public void oneWorkerOfAsynchronousTrainingEndsAtTheSameStepByItsLosses() throws IOException {
        Set<Long> ends = new HashSet<>();
        for (int run = 0; run < 3; run++) {
            try (TestJob job = job(TrainingMode.ASYNCHRONOUS, target(0.3), 1 + 300 * run)) {
                job.resizeTo(job.add(2, 1));
                ends.add(job.awaitEnd().steps());
            }
        }

        assertThat(ends).singleElement().satisfies(step -> assertThat(endsAnEpoch(step))
                .isTrue());
    }

    @Test
    public void sameSeedReachesItsTargetAtTheSameStepWhateverTheTiming() throws IOException {
        StopRule target = target(0.3);
        Set<Long> ends = new HashSet<>();
        ends.add(synchronous(target, 1, 1, 0));
        ends.add(synchronous(target, 2, 3, 0, 1_500, 300));
        ends.add(resizedAndHit(target));

        assertThat(ends).singleElement().satisfies(step -> assertThat(endsAnEpoch(step - 1))
                .isTrue());
    }

    @Test
    public void sameSeedConvergesAtTheSameStepWhateverTheTiming() throws IOException {
        StopRule plateau = new StopRule.FirstOf(List.of(new StopRule.LossPlateau(0.02, 2), NEVER));
        Set<Long> ends = new HashSet<>();
        ends.add(synchronous(plateau, 1, 1, 0));
        ends.add(synchronous(plateau, 1, 4, 100, 0, 700));
        ends.add(resizedAndHit(plateau));

        assertThat(ends).singleElement().satisfies(step -> assertThat(endsAnEpoch(step - 1))
                .isTrue());
    }

    private static StopRule target(double loss) {
        return new StopRule.FirstOf(List.of(new StopRule.TargetLoss(loss), NEVER));
    }

    private static boolean endsAnEpoch(long step) {
        return step == stepsOf((int) (step * BATCH / SAMPLES));
    }

    private long synchronous(StopRule stop, int servers, int workers, long... stepMicros) throws IOException {
        try (TestJob job = job(TrainingMode.SYNCHRONOUS, stop, stepMicros)) {
            job.resizeTo(job.add(servers, workers));
            TrainingResult result = job.awaitEnd();
            assertThat(result.converged()).isTrue();
            return result.steps();
        }
    }

    /** Workers and servers join, leave and die meanwhile. */
    private long resizedAndHit(StopRule stop) throws IOException {
        try (TestJob job = job(TrainingMode.SYNCHRONOUS, stop, 700)) {
            Set<TaskId> all = job.add(2, 4);
            Set<TaskId> members = new TreeSet<>(all);
            members.removeAll(Set.of(TaskId.server(1), TaskId.worker(2), TaskId.worker(3)));
            job.coordinator.target(members);
            job.awaitStep(20);
            job.coordinator.target(all);
            job.awaitStep(40);
            job.kill(TaskId.worker(0));
            job.awaitStep(60);
            job.kill(TaskId.server(1));
            TrainingResult result = job.awaitEnd();
            assertThat(job.lost).containsOnlyKeys(TaskId.worker(0), TaskId.server(1));
            return result.steps();
        }
    }
}
