package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.coordinator.CoordinatorStatus.Progress;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.program.TestPrograms;
import io.optimus.am.engine.program.TestPython;
import io.optimus.am.job.BatchSpec;
import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Trains a PyTorch program whose job chooses its batch, through the coordinator and real workers. */
public final class AdaptiveBatchTest {
    private static final int INITIAL = 8;
    private static final int MOST = 64;
    private static final int SAMPLES = 1200;
    private static final int EPOCHS = 12;

    /** Targets that are mostly noise, so that gradients are too, and a step that takes 5 ms whatever its batch. */
    private static final String PROGRAM =
            """
            import sys
            import time
            import torch
            import optimus_yarn as optimus

            torch.manual_seed(3)
            inputs = torch.randn(%d, 6)
            targets = inputs @ torch.randn(6, 1) + 3 * torch.randn(%d, 1)
            samples = torch.utils.data.TensorDataset(inputs, targets)

            job = optimus.init()
            model = torch.nn.Linear(6, 1)
            opt = torch.optim.SGD(model.parameters(), lr=0.002)
            loader = torch.utils.data.DataLoader(samples, batch_size=%d, shuffle=True)
            model, opt, loader = job.prepare(model, opt, loader)
            for epoch in job.epochs(int(sys.argv[1])):
                for x, y in loader:
                    loss = torch.nn.functional.mse_loss(model(x), y)
                    time.sleep(0.005)
                    job.backward(loss)
                    opt.step()
                    opt.zero_grad()
            """
                    .formatted(SAMPLES, SAMPLES, INITIAL);

    @Rule
    public final Timeout timeout = Timeout.seconds(300);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final AtomicInteger started = new AtomicInteger();

    @Before
    public void needTorch() {
        assumeTrue(
                TestPython.NAME + " has no torch; name a Python that has it in OPTIMUS_TEST_PYTHON",
                TestPython.has("torch"));
    }

    private TestJob job(LocalCheckpointStore store, int attempt, BatchSpec spec, int epochs) throws IOException {
        TrainingSettings settings = new TrainingSettings(
                new TrainingSettings.Steps(
                        TrainingMode.SYNCHRONOUS, Communication.ALL_REDUCE, 1, 7, new Optimizer.Sgd(1, 0, 0)),
                new StopRule.MaxEpochs(1_000),
                OptionalDouble.empty(),
                new Allocation(0, 1),
                new Checkpoint(20, 3_600),
                new TrainingSettings.Timing(200, 20_000, 20_000, 60_000, 60_000, 0, 200, 60_000),
                new TrainingSettings.Batches(spec, 200));
        Path homes = folder.getRoot().toPath();
        return new TestJob(
                settings,
                store,
                attempt,
                () -> TestPrograms.startInGroup(
                        homes.resolve("adaptive-" + started.incrementAndGet()),
                        PROGRAM,
                        List.of(String.valueOf(epochs)),
                        spec.adapts()));
    }

    private static BatchSpec adaptive() {
        return new BatchSpec(OptionalInt.empty(), OptionalInt.of(MOST), OptionalInt.of(MOST), true, true);
    }

    private LocalCheckpointStore store() throws IOException {
        return new LocalCheckpointStore(folder.newFolder().toPath());
    }

    private static CurrentBatch batch(TestJob job) {
        return job.coordinator.status().progress().batch().orElseThrow();
    }

    @Test
    public void aLoneWorkerMeasuresTheNoiseAndTheBatchGrows() throws IOException {
        try (TestJob job = job(store(), 1, adaptive(), EPOCHS)) {
            job.coordinator.target(Set.of(job.add(Role.WORKER)));
            job.await(
                    "the largest batch",
                    () -> !job.batches.isEmpty() && batch(job).samples() == MOST);

            int largest = INITIAL;
            for (CurrentBatch each : job.batches) {
                assertThat(each.samples()).isBetween(INITIAL, 2 * largest);
                largest = Math.max(largest, each.samples());
            }
            assertThat(job.resizes).as("a new batch is no resize").hasSize(1);
            CurrentBatch now = batch(job);
            assertThat(now.accumulate())
                    .as("two parts, to measure noise between them")
                    .isEqualTo(1);
            assertThat(now.noise().orElseThrow().scale(INITIAL))
                    .as("infinite where the gradient is lost in its noise")
                    .isGreaterThan(INITIAL);
            assertThat(now.gain().orElseThrow()).isBetween(1.0, (double) MOST / INITIAL);
            assertThat(job.stepTimes).isNotEmpty().allMatch(times -> times.isPlausible() && times.replicas() == 1);
            TrainingResult end = job.awaitEnd();
            assertThat(end.epochs()).as("epochs count samples").isCloseTo(EPOCHS, within(0.1));
            Progress last = job.coordinator.status().progress();
            assertThat(last.batch().orElseThrow().updates())
                    .as("steps of a large batch are fewer than their worth")
                    .isLessThan(end.steps());
            assertThat(end.steps()).isLessThanOrEqualTo(EPOCHS * SAMPLES / INITIAL);
        }
    }

    @Test
    public void resizesAndLossesKeepProgressAndBatch() throws IOException {
        try (TestJob job = job(store(), 1, adaptive(), EPOCHS)) {
            Set<TaskId> both = job.add(0, 2);
            job.resizeTo(both);
            job.await("a larger batch", () -> batch(job).samples() >= 4 * INITIAL);
            double before = job.coordinator.status().progress().epoch();
            job.kill(TaskId.worker(0));
            job.await("one worker steps", () -> job.resizes.size() == 2);
            assertThat(batch(job).samples()).isGreaterThanOrEqualTo(4 * INITIAL);
            assertThat(job.coordinator.status().progress().epoch()).isGreaterThanOrEqualTo(before);
            assertThat(job.steppedBack).isEmpty();
            assertThat(job.awaitEnd().epochs()).isCloseTo(EPOCHS, within(0.1));
            assertThat(job.curve().lastKey()).isLessThan(EPOCHS * SAMPLES / INITIAL);
        }
    }

    @Test
    public void aNewCoordinatorGoesOnWithPositionBatchAndNoise() throws IOException {
        LocalCheckpointStore store = store();
        long checkpoint;
        try (TestJob job = job(store, 1, adaptive(), EPOCHS)) {
            job.coordinator.target(job.add(0, 2));
            job.await(
                    "a larger batch", () -> !job.batches.isEmpty() && batch(job).samples() >= 4 * INITIAL);
            int until = job.checkpoints.size() + 2;
            job.await("a checkpoint", () -> job.checkpoints.size() >= until);
            checkpoint = job.checkpoints.get(job.checkpoints.size() - 1);
        }
        try (TestJob job = job(store, 2, adaptive(), EPOCHS)) {
            assertThat(job.step()).isGreaterThanOrEqualTo(checkpoint);
            job.coordinator.target(Set.of(job.add(Role.WORKER)));
            CurrentBatch now = batch(job);
            assertThat(now.samples()).isGreaterThanOrEqualTo(4 * INITIAL);
            assertThat(now.noise()).isPresent();
            assertThat(job.coordinator.status().progress().epoch())
                    .as("samples of the steps before, at least those of the initial batch")
                    .isGreaterThan((double) now.updates() * INITIAL / SAMPLES);
            assertThat(job.awaitEnd().epochs()).isCloseTo(EPOCHS, within(0.1));
            assertThat(job.curve().firstKey()).isGreaterThanOrEqualTo(checkpoint);
        }
    }

    @Test
    public void aFixedBatchIsComputedInPartsThatFitAWorker() throws IOException {
        BatchSpec inParts = new BatchSpec(OptionalInt.of(INITIAL), OptionalInt.empty(), OptionalInt.of(3), false, true);
        try (TestJob job = job(store(), 1, inParts, 1)) {
            job.coordinator.target(Set.of(job.add(Role.WORKER)));
            assertThat(job.awaitEnd().steps()).isEqualTo(SAMPLES / INITIAL);
            assertThat(job.batches).isEmpty();
            assertThat(job.coordinator.status().progress().batch()).isEmpty();
        }
    }

    @Test
    public void aJobWhoseProgramDisagreesWithItsFileFails() throws IOException {
        BatchSpec other =
                new BatchSpec(OptionalInt.of(INITIAL + 1), OptionalInt.of(MOST), OptionalInt.empty(), true, true);
        try (TestJob job = job(store(), 1, other, 1)) {
            job.coordinator.target(Set.of(job.addWithoutWaiting(Role.WORKER)));
            job.await("the failure", () -> job.failure != null);
            assertThat(job.failure).contains("a batch of 8").contains("batch.initial is 9");
        }
    }
}
