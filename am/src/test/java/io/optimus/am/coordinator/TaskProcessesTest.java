package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpec;
import io.optimus.am.wire.TaskExit;
import io.optimus.am.wire.TaskId;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Runs tasks as processes, as an ApplicationMaster does. */
public final class TaskProcessesTest {
    /** Processes may need seconds of a busy machine to start. */
    private static final TrainingSettings.Timing PATIENT =
            new TrainingSettings.Timing(100, 20_000, 20_000, 20_000, 20_000, 0, 500, 60_000);

    @Rule
    public final Timeout timeout = Timeout.seconds(90);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Rule
    public final TaskProcesses processes = new TaskProcesses(folder);

    private Process start(TestJob job, TaskId task) throws IOException {
        return processes.start(job, task, spec(), List.of("-Xmx64m", "-XX:+UseSerialGC"));
    }

    private static JobSpec spec() {
        try {
            String file = "name: a\nmodel: mlp\nengine: java\ndataset: digits\n";
            return JobFile.parse("job.yaml", file, List.of()).spec();
        } catch (InvalidJobFileException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void trainAndEndWhenToldTo() throws Exception {
        TrainingSettings settings =
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(0.1, 0.9, 0), 1_000_000, PATIENT);
        Path store = folder.getRoot().toPath().resolve("store");
        try (TestJob job = new TestJob(settings, new LocalCheckpointStore(store), 1, () -> new CountingEngine(1, 0))) {
            Process server = start(job, TaskId.server(0));
            Process survivor = start(job, TaskId.worker(0));
            Process victim = start(job, TaskId.worker(1));
            Set<TaskId> members = Set.of(TaskId.server(0), TaskId.worker(0), TaskId.worker(1));
            job.await("all are ready", () -> job.coordinator.readyTasks().containsAll(members));
            job.resizeTo(members);
            job.awaitStep(20);
            victim.destroyForcibly();
            Set<TaskId> left = Set.of(TaskId.server(0), TaskId.worker(0));
            job.await("the others go on", () -> job.stepsOn(left));
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();
            assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(survivor.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isZero();
            assertThat(survivor.exitValue()).isZero();
            assertThat(job.lost).containsOnlyKeys(TaskId.worker(1));
        }
    }

    @Test
    public void endByThemselvesWhenCoordinatorIsGone() throws Exception {
        TrainingSettings settings =
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(0.1, 0, 0), 1_000_000, PATIENT);
        Path store = folder.getRoot().toPath().resolve("store");
        try (TestJob job = new TestJob(settings, new LocalCheckpointStore(store), 1, () -> new CountingEngine(1, 0))) {
            Process server = start(job, TaskId.server(0));
            Process worker = start(job, TaskId.worker(0));
            job.resizeTo(Set.of(TaskId.server(0), TaskId.worker(0)));
            job.coordinator.close();
            assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(worker.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isEqualTo(TaskExit.COORDINATOR_LOST);
            assertThat(worker.exitValue()).isEqualTo(TaskExit.COORDINATOR_LOST);
        }
    }
}
