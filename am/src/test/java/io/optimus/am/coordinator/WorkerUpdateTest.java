package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.engine.program.StepLimits;
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
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/**
 * Trains a PyTorch program on parameter servers that only average, with an optimizer that they do not know, clipping and a
 * schedule. However the membership changes, the losses of all steps stay the same.
 */
public final class WorkerUpdateTest {
    /** 8 epochs of 240 samples in batches of 12. */
    private static final int STEPS = 160;

    private static final double RELATIVE = 1e-5;

    private static final String PROGRAM =
            """
            import time
            import torch
            import optimus_yarn as optimus

            def gate():
                with open("../gate") as file:
                    return int(file.read())

            job = optimus.init()
            generator = torch.Generator().manual_seed(5)
            x = torch.randn(240, 6, generator=generator)
            data = torch.utils.data.TensorDataset(x, torch.sin(x).sum(1, keepdim=True))
            model = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
            opt = torch.optim.RMSprop(model.parameters(), lr=0.005, momentum=0.5)
            sched = torch.optim.lr_scheduler.StepLR(opt, 40, gamma=0.5)
            loader = torch.utils.data.DataLoader(data, batch_size=12, shuffle=True)
            model, opt, loader, sched = job.prepare(model, opt, loader, sched)
            for epoch in job.epochs(8):
                for inputs, targets in loader:
                    while job.step >= gate():
                        time.sleep(0.002)
                    job.backward(torch.nn.functional.mse_loss(model(inputs), targets))
                    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
                    opt.step()
                    sched.step()
                    opt.zero_grad()
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
        return job(store, attempt, WireFormat.FLOAT32);
    }

    private TestJob job(LocalCheckpointStore store, int attempt, WireFormat format) throws IOException {
        StepLimits limits = new StepLimits(Duration.ofSeconds(60), Duration.ofSeconds(60));
        TrainingSettings settings = new TrainingSettings(
                new TrainingSettings.Steps(
                        TrainingMode.SYNCHRONOUS,
                        Communication.AVERAGING_SERVER,
                        format,
                        1,
                        7,
                        new Optimizer.Sgd(1, 0, 0)),
                new StopRule.MaxEpochs(1_000),
                OptionalDouble.empty(),
                new Allocation(1, 1),
                new Checkpoint(20, 3_600),
                new TrainingSettings.Timing(200, 20_000, 20_000, 60_000, 60_000, 0, 500, 60_000));
        return new TestJob(
                settings,
                store,
                attempt,
                () -> TestPrograms.startInGroup(
                        folder.getRoot().toPath().resolve("worker-" + started.incrementAndGet()),
                        PROGRAM,
                        Communication.AVERAGING_SERVER,
                        limits));
    }

    private LocalCheckpointStore store() throws IOException {
        return new LocalCheckpointStore(folder.newFolder().toPath());
    }

    private NavigableMap<Long, Double> losses(int servers, int workers) throws IOException {
        return losses(servers, workers, WireFormat.FLOAT32);
    }

    private NavigableMap<Long, Double> losses(int servers, int workers, WireFormat format) throws IOException {
        openGate(STEPS);
        try (TestJob job = job(store(), 1, format)) {
            job.coordinator.target(job.add(servers, workers));
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.awaitEnd().model()).isPresent();
            return job.curve();
        }
    }

    private static void assertSame(NavigableMap<Long, Double> losses, NavigableMap<Long, Double> expected) {
        assertThat(losses.keySet()).isEqualTo(expected.keySet()).hasSize(STEPS);
        expected.forEach((step, loss) ->
                assertThat(losses.get(step)).as("loss of step %d", step).isCloseTo(loss, within(RELATIVE * loss)));
    }

    @Test
    public void lossesDoNotDependOnTheMembership() throws IOException {
        NavigableMap<Long, Double> alone = losses(1, 1);
        assertThat(alone.lastEntry().getValue())
                .isLessThan(0.5 * alone.firstEntry().getValue());
        assertSame(losses(3, 2), alone);
        assertThat(losses(3, 2, WireFormat.BFLOAT16).lastEntry().getValue())
                .as("averages of rounded gradients")
                .isNotEqualTo(alone.lastEntry().getValue())
                .isCloseTo(alone.lastEntry().getValue(), withinPercentage(5));
        assertSame(changed(), alone);
    }

    /** Workers and servers join, leave and die. */
    private NavigableMap<Long, Double> changed() throws IOException {
        openGate(10);
        try (TestJob job = job(store(), 1)) {
            SortedSet<TaskId> all = new TreeSet<>(job.add(3, 3));
            TaskId server = TaskId.server(0);
            job.resizeTo(Set.of(server, TaskId.worker(0)));
            change(job, new TreeSet<>(Set.of(server, TaskId.worker(0), TaskId.worker(1))), 30);
            change(job, all, 50);
            job.kill(TaskId.worker(0));
            all.remove(TaskId.worker(0));
            change(job, all, 70);
            job.kill(server);
            all.remove(server);
            change(job, all, 90);
            all.remove(TaskId.server(1));
            all.remove(TaskId.worker(1));
            change(job, all, 110);
            openGate(STEPS);

            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.steppedBack).isEmpty();
            assertThat(job.resizes).hasSizeGreaterThanOrEqualTo(6);
            System.out.println("update by workers, resizes: " + job.resizes);
            return job.curve();
        }
    }

    /** Makes {@code members} the membership, and lets it step up to the gate. */
    private void change(TestJob job, SortedSet<TaskId> members, long gate) throws IOException {
        job.coordinator.target(members);
        openGate(gate);
        job.awaitStep(gate - 1);
        job.await("members are " + members, () -> job.members().equals(members));
    }

    /** Lets programs do the steps before {@code step}. */
    private void openGate(long step) throws IOException {
        Path next = folder.newFile().toPath();
        Files.writeString(next, Long.toString(step));
        Files.move(next, folder.getRoot().toPath().resolve("gate"), StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    public void goesOnFromTheCheckpointWithAnotherApplicationMaster() throws IOException {
        NavigableMap<Long, Double> expected = losses(1, 1);
        LocalCheckpointStore store = store();
        NavigableMap<Long, Double> losses;
        openGate(70);
        try (TestJob job = job(store, 1)) {
            job.coordinator.target(job.add(2, 2));
            job.await("a checkpoint", () -> job.checkpoints.contains(60L));
            losses = job.curve();
        }
        openGate(STEPS);
        try (TestJob job = job(store, 2)) {
            Set<TaskId> members = job.add(1, 1);
            job.coordinator.target(members);
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.curve().firstKey()).isEqualTo(60);
            losses.putAll(job.curve());
        }
        assertSame(losses, expected);
    }

    @Test
    public void waitsForAnotherServerAndStepsOnWithoutALoss() throws IOException {
        openGate(30);
        try (TestJob job = job(store(), 1)) {
            Set<TaskId> members = job.add(1, 1);
            job.resizeTo(members);
            job.awaitStep(29);
            job.kill(TaskId.server(0));
            job.await("the server is lost", () -> job.lost.containsKey(TaskId.server(0)));
            members.remove(TaskId.server(0));
            members.add(job.add(Role.PARAMETER_SERVER));
            job.coordinator.target(members);
            openGate(STEPS);
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.steppedBack).isEmpty();
            assertThat(job.curve()).hasSize(STEPS);
        }
    }
}
