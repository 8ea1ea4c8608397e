package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.checkpoint.FaultyStore;
import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.WorkerEngine;
import io.optimus.am.engine.program.TestPrograms;
import io.optimus.am.engine.program.TestPython;
import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Trains a PyTorch program in groups of workers, through the coordinator and real workers. */
public final class GroupTrainingTest {
    /** 8 epochs of 240 samples in batches of 12. */
    private static final int STEPS = 160;

    private static final int STEPS_OF_EPOCH = 20;
    /** gloo adds the gradients of several workers in an order of its own. */
    private static final double TOLERANCE = 1e-4;
    /** 10 epochs of 1,437 samples in batches of 64. */
    private static final int NETWORK_STEPS = 225;
    /** Relative to the loss of the step; each step carries on the rounding differences of all before it. */
    private static final double NETWORK_TOLERANCE = 1e-4;

    private static final Path DIGITS = Path.of("src/main/resources/io/optimus/am/dataset/digits.csv.gz");

    private static final String PROGRAM =
            """
            import time
            import torch
            import optimus_yarn as optimus

            job = optimus.init()
            generator = torch.Generator().manual_seed(5)
            x = torch.randn(240, 6, generator=generator)
            data = torch.utils.data.TensorDataset(x, torch.sin(x).sum(1, keepdim=True))
            model = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
            opt = torch.optim.AdamW(model.parameters(), lr=0.01)
            sched = torch.optim.lr_scheduler.StepLR(opt, 40, gamma=0.5)
            loader = torch.utils.data.DataLoader(data, batch_size=12, shuffle=True)
            model, opt, loader, sched = job.prepare(model, opt, loader, sched)
            for epoch in job.epochs(8):
                for inputs, targets in loader:
                    job.backward(torch.nn.functional.mse_loss(model(inputs), targets))
                    opt.step()
                    sched.step()
                    opt.zero_grad()
                    time.sleep(0.01)
            """;

    /** Evaluates after the last epoch until the file exists that the program has as its argument. */
    private static final String EVALUATION =
            """
            import os
            import sys
            while not os.path.exists(sys.argv[1]):
                time.sleep(0.02)
            """;

    private static final String NETWORK =
            """
            import gzip
            import sys
            import time
            import torch
            from torch import nn
            import optimus_yarn as optimus

            job = optimus.init()
            with gzip.open(sys.argv[1], "rt") as lines:
                rows = torch.tensor([[float(value) for value in line.split(",")] for line in lines])[:1437]
            data = torch.utils.data.TensorDataset(rows[:, :64].reshape(-1, 1, 8, 8) / 16, rows[:, 64].long())
            model = nn.Sequential(
                nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(),
                nn.Flatten(), nn.Linear(256, 10))
            opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
            loader = torch.utils.data.DataLoader(data, batch_size=64, shuffle=True)
            model, opt, loader = job.prepare(model, opt, loader)
            for epoch in job.epochs(10):
                for images, labels in loader:
                    job.backward(nn.functional.cross_entropy(model(images), labels))
                    opt.step()
                    opt.zero_grad()
                    time.sleep(0.01)
            """;

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

    private TestJob job(LocalCheckpointStore store, int attempt) throws IOException {
        return job(store, attempt, PROGRAM, List.of());
    }

    private TestJob networkJob() throws IOException {
        return job(store(), 1, NETWORK, List.of(DIGITS.toAbsolutePath().toString()));
    }

    private TestJob job(LocalCheckpointStore store, int attempt, String source, List<String> arguments)
            throws IOException {
        return job(store, attempt, source, arguments, new StopRule.MaxEpochs(1_000));
    }

    private TestJob job(LocalCheckpointStore store, int attempt, String source, List<String> arguments, StopRule stop)
            throws IOException {
        return new TestJob(settings(stop), store, attempt, engines(source, arguments));
    }

    private static TrainingSettings settings(StopRule stop) {
        return new TrainingSettings(
                new TrainingSettings.Steps(
                        TrainingMode.SYNCHRONOUS, Communication.ALL_REDUCE, 1, 7, new Optimizer.Sgd(1, 0, 0)),
                stop,
                OptionalDouble.empty(),
                new Allocation(0, 1),
                new Checkpoint(20, 3_600),
                new TrainingSettings.Timing(200, 20_000, 20_000, 60_000, 60_000, 0, 500, 60_000));
    }

    private Supplier<WorkerEngine> engines(String source, List<String> arguments) {
        Path homes = folder.getRoot().toPath();
        return () -> TestPrograms.startInGroup(homes.resolve("group-" + started.incrementAndGet()), source, arguments);
    }

    private LocalCheckpointStore store() throws IOException {
        return new LocalCheckpointStore(folder.newFolder().toPath());
    }

    private NavigableMap<Long, Double> alone() throws IOException {
        try (TestJob job = job(store(), 1)) {
            job.coordinator.target(job.add(0, 1));
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.awaitEnd().model()).isPresent();
            return job.curve();
        }
    }

    private static void assertSame(NavigableMap<Long, Double> losses, NavigableMap<Long, Double> expected) {
        assertThat(losses.keySet()).isEqualTo(expected.keySet());
        expected.forEach((step, loss) -> assertThat(losses.get(step))
                .as("loss of step %d", step)
                .isCloseTo(loss, within(TOLERANCE * (1 + loss))));
    }

    @Test
    public void lossesStayTheSameWhenWorkersJoinLeaveAndDie() throws IOException {
        NavigableMap<Long, Double> alone = alone();
        assertThat(alone).hasSize(STEPS);
        assertThat(alone.lastEntry().getValue())
                .isLessThan(0.5 * alone.firstEntry().getValue());
        try (TestJob job = job(store(), 1)) {
            Set<TaskId> all = job.add(0, 3);
            job.resizeTo(Set.of(TaskId.worker(0)));
            job.awaitStep(10);
            job.resizeTo(Set.of(TaskId.worker(0), TaskId.worker(1)));
            job.awaitStep(job.step() + 10);
            job.resizeTo(all);
            job.awaitStep(job.step() + 10);
            job.kill(TaskId.worker(0));
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.steppedBack).isEmpty();
            assertThat(job.resizes).extracting(resize -> resize.to().workers()).containsExactly(1, 2, 3, 2);
            assertSame(job.curve(), alone);
            System.out.println("all-reduce resizes: " + job.resizes);
        }
    }

    /** A rule on the losses lets a step wait for a decision at the end of each epoch. */
    @Test
    public void noStepIsLostWithTheCoordinator() throws IOException {
        NavigableMap<Long, Double> alone = alone();
        StopRule unreachable = new StopRule.FirstOf(List.of(new StopRule.TargetLoss(0), new StopRule.MaxEpochs(1_000)));
        try (TestJob job = TestJob.surviving(settings(unreachable), store(), engines(PROGRAM, List.of()))) {
            job.resizeTo(job.add(0, 3));
            for (int lost = 0; lost < 3; lost++) {
                job.awaitStep(job.step() + 25);
                job.loseCoordinator();
                if (lost == 1) {
                    job.kill(TaskId.worker(0));
                }
                job.takeOver();
            }
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.goneOn).containsExactly("in memory with 3", "in memory with 2", "in memory with 2");
            assertThat(job.steppedBack).isEmpty();
            assertSame(job.curve(), alone);
        }
    }

    /** The program of the first worker evaluates until its coordinator is lost. */
    @Test
    public void endsWellIfTheCoordinatorIsLostWhileTheProgramEvaluates() throws IOException {
        StopRule stop = new StopRule.MaxEpochs(1_000);
        Path evaluated = folder.getRoot().toPath().resolve("evaluated");
        Supplier<WorkerEngine> evaluating = engines(PROGRAM + EVALUATION, List.of(evaluated.toString()));
        try (TestJob job = TestJob.surviving(settings(stop), store(), evaluating)) {
            job.resizeTo(job.add(0, 2));
            job.await("all steps are done and saved", () -> isEnding(job) && job.checkpoints.contains((long) STEPS));
            job.loseCoordinator();
            Files.createFile(evaluated);
            job.takeOver();

            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.lost).isEmpty();
            assertThat(job.endedBadly).isEmpty();
        }
    }

    /**
     * The program has reported an accuracy that ends training. Two coordinators are lost before the last checkpoint is saved,
     * while the program evaluates.
     */
    @Test
    public void theNextCoordinatorKnowsThatAnAccuracyHasEndedTraining() throws IOException {
        Path evaluated = folder.getRoot().toPath().resolve("evaluated");
        String reporting =
                PROGRAM + "    job.report(accuracy=0.1 * epoch)\n" + "job.report(accuracy=0.9)\n" + EVALUATION;
        TrainingSettings without = settings(new StopRule.MaxEpochs(1_000));
        TrainingSettings target = new TrainingSettings(
                without.steps(),
                without.stop(),
                OptionalDouble.of(0.3),
                without.minimum(),
                without.checkpoint(),
                without.timing());
        long steps = 4 * STEPS_OF_EPOCH + 1;
        FaultyStore store = new FaultyStore(store());
        Supplier<WorkerEngine> engines = engines(reporting, List.of(evaluated.toString()));
        try (TestJob job = TestJob.surviving(target, store, engines)) {
            job.resizeTo(job.add(0, 2));
            job.awaitStep(STEPS_OF_EPOCH);
            store.refuse(new IOException("no space"));
            job.await("all steps are done", () -> isEnding(job));
            job.loseCoordinator();
            job.takeOver();
            job.await(
                    "the next coordinator begins a membership",
                    () -> job.coordinator.status().membership().attempt() == 2);
            job.loseCoordinator();
            job.takeOver();
            store.heal();
            Files.createFile(evaluated);

            assertThat(job.awaitEnd().steps()).isEqualTo(steps);
            assertThat(job.awaitEnd().converged()).isTrue();
            assertThat(job.lost).isEmpty();
            assertThat(job.endedBadly).isEmpty();
        }
    }

    private static boolean isEnding(TestJob job) {
        return job.coordinator.status().state() == CoordinatorStatus.State.ENDING;
    }

    @Test
    public void endsWithTheFirstStepAfterTheEpochThatReachedTheTarget() throws IOException {
        StopRule target = new StopRule.FirstOf(List.of(new StopRule.TargetLoss(2), new StopRule.MaxEpochs(1_000)));
        Set<Long> ends = new HashSet<>();
        for (int workers : List.of(1, 2)) {
            try (TestJob job = job(store(), 1, PROGRAM, List.of(), target)) {
                job.resizeTo(job.add(0, workers));
                TrainingResult result = job.awaitEnd();
                assertThat(result.converged()).isTrue();
                ends.add(result.steps());
            }
        }
        assertThat(ends).singleElement().satisfies(step -> assertThat(step % STEPS_OF_EPOCH)
                .isEqualTo(1));
    }

    @Test
    public void goesOnFromTheCheckpointWhenNoWorkerIsLeft() throws IOException {
        LocalCheckpointStore store = store();
        NavigableMap<Long, Double> losses;
        try (TestJob job = job(store, 1)) {
            job.coordinator.target(job.add(0, 2));
            job.await("a checkpoint", () -> job.checkpoints.size() > 2);
            losses = job.curve();
        }
        try (TestJob job = job(store, 2)) {
            job.coordinator.target(Set.of(job.add(Role.WORKER)));
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.curve().firstKey()).isPositive();
            losses.putAll(job.curve());
        }
        assertSame(losses, alone());
    }

    @Test
    public void convolutionalNetworkHasTheLossesOfOneWorker() throws IOException {
        NavigableMap<Long, Double> alone;
        try (TestJob job = networkJob()) {
            job.coordinator.target(job.add(0, 1));
            assertThat(job.awaitEnd().steps()).isEqualTo(NETWORK_STEPS);
            alone = job.curve();
        }
        assertThat(alone.lastEntry().getValue())
                .isLessThan(0.2 * alone.firstEntry().getValue());
        try (TestJob job = networkJob()) {
            job.resizeTo(job.add(0, 3));
            job.awaitEnd();
            assertNear("3 workers", job.curve(), alone);
        }
        try (TestJob job = networkJob()) {
            List<TaskId> workers = List.copyOf(job.add(0, 3));
            for (int count : List.of(1, 3, 2)) {
                job.resizeTo(Set.copyOf(workers.subList(0, count)));
                job.awaitStep(job.step() + 30);
            }
            job.awaitEnd();
            assertThat(job.resizes).extracting(resize -> resize.to().workers()).containsExactly(1, 3, 2);
            assertNear("resized from 1 to 3 to 2 workers", job.curve(), alone);
        }
        try (TestJob job = networkJob()) {
            job.resizeTo(job.add(0, 3));
            job.awaitStep(50);
            job.kill(TaskId.worker(1));
            job.awaitEnd();
            assertThat(job.lost).containsKey(TaskId.worker(1));
            assertNear("one of 3 workers killed", job.curve(), alone);
        }
    }

    private static void assertNear(
            String what, NavigableMap<Long, Double> losses, NavigableMap<Long, Double> expected) {
        assertThat(losses.keySet()).as(what).isEqualTo(expected.keySet());
        double largest = 0;
        for (Map.Entry<Long, Double> point : losses.entrySet()) {
            double alone = expected.getOrDefault(point.getKey(), Double.NaN);
            largest = Math.max(largest, Math.abs(point.getValue() - alone) / alone);
        }
        System.out.printf(
                Locale.ROOT, "all-reduce, %s: losses of %d steps differ by up to %.2g%n", what, losses.size(), largest);
        assertThat(largest).as("largest relative difference: " + what).isLessThan(NETWORK_TOLERANCE);
    }
}
