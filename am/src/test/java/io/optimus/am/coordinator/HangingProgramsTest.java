package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.WorkerEngine;
import io.optimus.am.engine.program.StepLimits;
import io.optimus.am.engine.program.TestPrograms;
import io.optimus.am.engine.program.TestPython;
import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Programs whose workers wait for one of them: because it evaluates, compiles or hangs. */
public final class HangingProgramsTest {
    private static final Duration STEP_LIMIT = Duration.ofSeconds(3);
    private static final Duration LONGER_THAN_A_STEP = STEP_LIMIT.multipliedBy(3);
    /** 3 epochs of 24 samples in batches of 4. */
    private static final int STEPS = 18;

    private static final String PROGRAM =
            """
            import time
            import torch
            import optimus_yarn as optimus

            job = optimus.init()
            x = torch.randn(24, 3, generator=torch.Generator().manual_seed(5))
            data = torch.utils.data.TensorDataset(x, x.sum(1, keepdim=True))
            model = torch.nn.Linear(3, 1)
            opt = torch.optim.SGD(model.parameters(), lr=0.01)
            loader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=True)
            model, opt, loader = job.prepare(model, opt, loader)
            first = True
            for epoch in job.epochs(3):
                for inputs, targets in loader:
                    IN_STEP
                    job.backward(torch.nn.functional.mse_loss(model(inputs), targets))
                    opt.step()
                    first = False
                AFTER_EPOCH
            """;

    @Rule
    public final Timeout timeout = Timeout.seconds(180);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final AtomicInteger started = new AtomicInteger();

    @Before
    public void needTorch() {
        assumeTrue(
                TestPython.NAME + " has no torch; name a Python that has it in OPTIMUS_TEST_PYTHON",
                TestPython.has("torch"));
    }

    private TestJob job(Communication communication, String inStep, String afterEpoch) throws IOException {
        String program = PROGRAM.replace("IN_STEP", inStep).replace("AFTER_EPOCH", afterEpoch);
        boolean servers = communication == Communication.PARAMETER_SERVER;
        TrainingSettings settings = new TrainingSettings(
                new TrainingSettings.Steps(TrainingMode.SYNCHRONOUS, communication, 1, 7, new Optimizer.Sgd(1, 0, 0)),
                new StopRule.MaxEpochs(1_000),
                OptionalDouble.empty(),
                new Allocation(servers ? 1 : 0, 1),
                new Checkpoint(1_000, 3_600),
                new TrainingSettings.Timing(100, 20_000, 20_000, STEP_LIMIT.toMillis(), 60_000, 0, 500, 60_000));
        return new TestJob(
                settings, new LocalCheckpointStore(folder.newFolder().toPath()), 1, () -> engine(servers, program));
    }

    /** The n-th engine belongs to worker-n, since a worker is ready before the next one starts. */
    private WorkerEngine engine(boolean servers, String program) {
        Path home = folder.getRoot().toPath().resolve("worker-" + started.getAndIncrement());
        StepLimits limits = new StepLimits(STEP_LIMIT, Duration.ofSeconds(60));
        return servers
                ? TestPrograms.start(home, program, limits)
                : TestPrograms.startInGroup(home, program, Communication.ALL_REDUCE, limits);
    }

    private static String sleep(Duration time) {
        return "time.sleep(" + time.toSeconds() + ")";
    }

    private void endsWithoutALoss(Communication communication, String inStep, String afterEpoch) throws IOException {
        try (TestJob job = job(communication, inStep, afterEpoch)) {
            job.coordinator.target(job.add(communication == Communication.PARAMETER_SERVER ? 1 : 0, 2));
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.lost).isEmpty();
            assertThat(job.warnings).isEmpty();
            assertThat(job.resizes).as("steps that began again").hasSize(1);
        }
    }

    @Test
    public void aProgramMayEvaluateForLongerThanAStep() throws IOException {
        String evaluate = "if job.is_first: " + sleep(LONGER_THAN_A_STEP);
        endsWithoutALoss(Communication.PARAMETER_SERVER, "pass", evaluate);
    }

    @Test
    public void aProgramOfAGroupMayEvaluateForLongerThanAStep() throws IOException {
        String evaluate = "if job.is_first: " + sleep(LONGER_THAN_A_STEP);
        endsWithoutALoss(Communication.ALL_REDUCE, "pass", evaluate);
    }

    @Test
    public void aResizeMayHaveToWaitForAnEvaluation() throws IOException {
        aResizeWaits(Communication.PARAMETER_SERVER);
    }

    @Test
    public void aResizeOfAGroupMayHaveToWaitForAnEvaluation() throws IOException {
        aResizeWaits(Communication.ALL_REDUCE);
    }

    /** The second worker waits for the first one, which evaluates, when a third one is added. */
    private void aResizeWaits(Communication communication) throws IOException {
        String evaluate = "if job.is_first and epoch == 0: " + sleep(LONGER_THAN_A_STEP);
        try (TestJob job = job(communication, "pass", evaluate)) {
            Set<TaskId> all = job.add(communication == Communication.PARAMETER_SERVER ? 1 : 0, 3);
            Set<TaskId> members = new TreeSet<>(all);
            members.remove(TaskId.worker(2));
            job.coordinator.target(members);
            job.awaitStep(STEPS / 3);
            job.coordinator.target(all);
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.lost).isEmpty();
            assertThat(job.resizes).hasSize(2);
        }
    }

    @Test
    public void theFirstStepMayTakeLongerThanOthers() throws IOException {
        endsWithoutALoss(
                Communication.PARAMETER_SERVER, "if first and job.is_first: " + sleep(LONGER_THAN_A_STEP), "pass");
    }

    @Test
    public void theProgramThatHangsInAGroupIsFoundWithinTheTimeOfAStep() throws IOException {
        TaskId hanging = TaskId.worker(1);
        try (TestJob job = job(
                Communication.ALL_REDUCE, "if job.task == 'worker-1' and job.step == 9: time.sleep(1000)", "pass")) {
            job.coordinator.target(job.add(0, 2));
            job.awaitStep(9);
            long hangs = System.nanoTime();
            job.await("the hanging worker is lost", () -> job.lost.containsKey(hanging));
            Duration found = Duration.ofNanos(System.nanoTime() - hangs);
            job.coordinator.target(Set.of(TaskId.worker(0)));

            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertThat(job.lost).containsOnlyKeys(hanging);
            assertThat(job.lost.get(hanging)).contains("did not answer step 9 within", "stepTimeoutSeconds");
            assertThat(found).isLessThan(STEP_LIMIT.plusSeconds(2));
        }
    }
}
