package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.program.ProgramGroup;
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
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Trains a PyTorch program in groups of workers, through the coordinator and real workers. */
public final class GroupTrainingTest {
    private static final String PACKAGE_PROPERTY = "optimus.python.package";
    private static final Path PACKAGE = Path.of("..", "python").toAbsolutePath().normalize();
    /** 8 epochs of 240 samples in batches of 12. */
    private static final int STEPS = 160;
    /** gloo adds the gradients of several workers in an order of its own. */
    private static final double TOLERANCE = 1e-4;

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

    @Rule
    public final Timeout timeout = Timeout.seconds(300);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final AtomicInteger started = new AtomicInteger();
    private Path script = Path.of("");

    @Before
    public void needPackageAndTorch() throws IOException {
        assumeTrue("The package optimus_yarn is not at " + PACKAGE, Files.exists(PACKAGE.resolve("optimus_yarn")));
        assumeTrue(
                TestPython.NAME + " has no torch; name a Python that has it in OPTIMUS_TEST_PYTHON",
                TestPython.has("torch"));
        System.setProperty(PACKAGE_PROPERTY, PACKAGE.toString());
        script = folder.newFile("train.py").toPath();
        Files.writeString(script, PROGRAM);
    }

    @After
    public void clearProperty() {
        System.clearProperty(PACKAGE_PROPERTY);
    }

    private TestJob job(LocalCheckpointStore store, int attempt) throws IOException {
        TreeMap<String, String> environment = new TreeMap<>();
        environment.put("OMP_NUM_THREADS", "1");
        ProgramSpec program = new ProgramSpec(
                TestPython.NAME, new ProgramSpec.Main(script.toString(), false), List.of(), environment);
        TrainingSettings settings = new TrainingSettings(
                new TrainingSettings.Steps(
                        TrainingMode.SYNCHRONOUS, Communication.ALL_REDUCE, 1, 7, new Optimizer.Sgd(1, 0, 0)),
                new StopRule.MaxEpochs(1_000),
                OptionalDouble.empty(),
                new Allocation(0, 1),
                new Checkpoint(20, 3_600),
                new TrainingSettings.Timing(200, 20_000, 60_000, 0, 500));
        return new TestJob(
                settings, store, attempt, () -> new ProgramGroup(program, "group-" + started.incrementAndGet(), 7));
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
}
