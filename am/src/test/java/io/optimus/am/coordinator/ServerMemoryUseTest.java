package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.job.JobSpecs;
import io.optimus.am.job.ServerMemory;
import io.optimus.am.wire.TaskExit;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.RuleChain;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** A parameter server with the memory that {@link ServerMemory} asks for trains, saves and is resized; with less it cannot. */
@RunWith(Parameterized.class)
public final class ServerMemoryUseTest {
    /** 16 MiB of parameters. */
    private static final int FLOATS = 1 << 22;

    private static final Optimizer SGD = new Optimizer.Sgd(1, 0, 0);
    private static final Optimizer ADAM = new Optimizer.Adam(1e-3, 0.9, 0.999, 1e-8, 0, false);
    private static final TrainingSettings.Timing PATIENT =
            new TrainingSettings.Timing(100, 20_000, 20_000, 20_000, 20_000, 0, 500, 60_000);

    private final TemporaryFolder folder = new TemporaryFolder();
    private final TaskProcesses processes = new TaskProcesses(folder);

    @Rule
    public final RuleChain rules =
            RuleChain.outerRule(Timeout.seconds(120)).around(folder).around(processes);

    private final TrainingMode mode;
    private final Optimizer optimizer;
    private final int workers;

    public ServerMemoryUseTest(TrainingMode mode, Optimizer optimizer, int workers) {
        this.mode = mode;
        this.optimizer = optimizer;
        this.workers = workers;
    }

    @Parameters(name = "{0} {1} {2} workers")
    public static List<Object[]> cases() {
        return List.of(
                new Object[] {TrainingMode.SYNCHRONOUS, ADAM, 1},
                new Object[] {TrainingMode.SYNCHRONOUS, SGD, 3},
                new Object[] {TrainingMode.ASYNCHRONOUS, ADAM, 3},
                new Object[] {TrainingMode.ASYNCHRONOUS, SGD, 1});
    }

    private JobSpec spec(long memoryMb) {
        String kind =
                optimizer.match(sgd -> "{kind: sgd, learningRate: 1, momentum: 0}", adam -> "{kind: adam}", own -> "");
        return JobSpecs.emulated(
                "mode=" + mode.name().toLowerCase(Locale.ROOT),
                "optimizer=" + kind,
                "roles.worker.min=1",
                "roles.worker.max=" + workers,
                "roles.ps.min=1",
                "roles.ps.max=2",
                "roles.ps.memoryMb=" + memoryMb);
    }

    private JobSpec enough() {
        String shortage = ServerMemory.shortage(spec(256), FLOATS, optimizer).orElseThrow();
        return spec(Long.parseLong(shortage.replaceAll(".*set roles.ps.memoryMb to ([0-9]+),.*", "$1")));
    }

    private TestJob job() throws IOException {
        TrainingSettings settings = TestJob.settings(mode, optimizer, 1_000_000, new Checkpoint(5, 3_600), PATIENT);
        return new TestJob(
                settings,
                new LocalCheckpointStore(folder.getRoot().toPath().resolve("store")),
                1,
                () -> new CountingEngine(FLOATS, 0));
    }

    private Process start(TestJob job, TaskId server, JobSpec spec, int heapMb, int directMb) throws IOException {
        return processes.start(
                job,
                server,
                spec,
                List.of(
                        "-Xmx" + heapMb + "m",
                        "-Xmn" + ServerMemory.YOUNG_MB + "m",
                        "-XX:MaxDirectMemorySize=" + directMb + "m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError"));
    }

    @Test
    public void isEnough() throws Exception {
        JobSpec spec = enough();
        ServerMemory memory = ServerMemory.of(spec);
        try (TestJob job = job()) {
            start(job, TaskId.server(0), spec, memory.heapMb(), memory.directMb());
            start(job, TaskId.server(1), spec, memory.heapMb(), memory.directMb());
            Set<TaskId> members = new TreeSet<>(Set.of(TaskId.server(0)));
            for (int i = 0; i < workers; i++) {
                members.add(job.add(Role.WORKER));
            }
            job.await(
                    "the servers are ready", () -> job.coordinator.readyTasks().contains(TaskId.server(1)));
            job.resizeTo(members);
            job.await("checkpoints", () -> job.checkpoints.size() > 2);
            members.add(TaskId.server(1));
            job.resizeTo(members);
            job.awaitStep(job.step() + 10);
            members.remove(TaskId.server(0));
            job.resizeTo(members);
            job.awaitStep(job.step() + 10);
            assertThat(job.lost).isEmpty();
        }
    }

    @Test
    public void isNotFarMoreThanEnough() throws Exception {
        JobSpec spec = enough();
        ServerMemory memory = ServerMemory.of(spec);
        try (TestJob job = job()) {
            Process server = start(job, TaskId.server(0), spec, (int) (0.6 * memory.heapMb()), memory.directMb());
            Set<TaskId> members = new TreeSet<>(Set.of(TaskId.server(0)));
            for (int i = 0; i < workers; i++) {
                members.add(job.add(Role.WORKER));
            }
            job.coordinator.target(members);
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isEqualTo(TaskExit.OUT_OF_MEMORY);
        }
    }
}
