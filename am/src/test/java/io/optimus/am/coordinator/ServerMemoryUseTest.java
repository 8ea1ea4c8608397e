package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.FaultyStore;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.RuleChain;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * A parameter server with the memory that {@link ServerMemory} asks for can train, and can be resized while it saves. If its
 * heap or its memory for buffers is a fifth smaller, it runs out of memory.
 */
@RunWith(Parameterized.class)
public final class ServerMemoryUseTest {
    /** 32 MiB of parameters. The buffers of one worker alone would need less than every JVM has. */
    private static final int FLOATS = 1 << 23;

    private static final int SAVED_EVERY = 5;

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
                new Object[] {TrainingMode.SYNCHRONOUS, ADAM, 2},
                new Object[] {TrainingMode.SYNCHRONOUS, SGD, 3},
                new Object[] {TrainingMode.ASYNCHRONOUS, ADAM, 3},
                new Object[] {TrainingMode.ASYNCHRONOUS, SGD, 4});
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

    private TestJob job(FaultyStore store) throws IOException {
        TrainingSettings settings =
                TestJob.settings(mode, optimizer, 1_000_000, new Checkpoint(SAVED_EVERY, 3_600), PATIENT);
        return new TestJob(settings, store, 1, () -> new CountingEngine(FLOATS, 0));
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
        boolean enough = trains(1, 1);
        assertThat(enough).as(logs()).isTrue();
    }

    @Test
    public void heapIsNotFarMoreThanEnough() throws Exception {
        assertThat(trains(0.8, 1)).isFalse();
    }

    @Test
    public void buffersAreNotFarMoreThanEnough() throws Exception {
        assertThat(trains(1, 0.8)).isFalse();
    }

    /**
     * Trains with one server, then two, then the other one, each time while a checkpoint is being saved.
     *
     * @param heap part of the heap that servers get
     * @param direct part of the memory for buffers that they get
     * @return whether no server ran out of memory
     */
    private boolean trains(double heap, double direct) throws IOException {
        JobSpec spec = enough();
        ServerMemory memory = ServerMemory.of(spec);
        int heapMb = (int) (heap * memory.heapMb());
        int directMb = (int) (direct * memory.directMb());
        FaultyStore store = new FaultyStore(
                new LocalCheckpointStore(folder.getRoot().toPath().resolve("store")));
        try (TestJob job = job(store)) {
            List<Process> servers = new ArrayList<>();
            Set<TaskId> members = new TreeSet<>();
            for (TaskId server : List.of(TaskId.server(0), TaskId.server(1))) {
                servers.add(start(job, server, spec, heapMb, directMb));
            }
            job.await(
                    "the servers are ready", () -> job.coordinator.readyTasks().size() == 2);
            for (int i = 0; i < workers; i++) {
                members.add(job.add(Role.WORKER));
            }
            members.add(TaskId.server(0));
            boolean sound = steps(job, members, servers);
            store.block();
            sound = sound && goesOn(job, servers);
            members.add(TaskId.server(1));
            sound = sound && steps(job, members, servers) && goesOn(job, servers);
            members.remove(TaskId.server(0));
            sound = sound && steps(job, members, servers) && goesOn(job, servers);
            store.release();
            return sound;
        } finally {
            store.release();
        }
    }

    /** Makes {@code members} the membership. Returns false if a server runs out of memory. */
    private static boolean steps(TestJob job, Set<TaskId> members, List<Process> servers) {
        job.coordinator.target(members);
        job.await("members are " + members, () -> job.stepsOn(members) || isOutOfMemory(servers));
        return goesOn(job, servers);
    }

    /** Waits for so many steps that one checkpoint is being saved then, and another one waits. Returns false if a server runs out of memory. */
    private static boolean goesOn(TestJob job, List<Process> servers) {
        long step = job.step() + 4 * SAVED_EVERY;
        job.await("step " + step, () -> job.step() >= step || isOutOfMemory(servers));
        return !isOutOfMemory(servers);
    }

    /** What both servers said. */
    private String logs() throws IOException {
        Path home = folder.getRoot().toPath();
        return Files.readString(home.resolve("ps-0/log")) + Files.readString(home.resolve("ps-1/log"));
    }

    private static boolean isOutOfMemory(List<Process> servers) {
        return servers.stream().anyMatch(server -> !server.isAlive() && server.exitValue() == TaskExit.OUT_OF_MEMORY);
    }
}
