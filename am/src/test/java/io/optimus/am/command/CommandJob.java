package io.optimus.am.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.command.CommandTask.Command;
import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.coordinator.ElasticCoordinator;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.coordinator.TrainingSettings.Timing;
import io.optimus.am.coordinator.command.CommandRun;
import io.optimus.am.coordinator.command.CommandSettings;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.job.CommandSpec;
import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.am.membership.Resize;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs a job of commands on this machine: a coordinator and tasks as threads, and the commands as processes. */
final class CommandJob implements Closeable, CoordinatorListener {
    static final int GRACE_SECONDS = 2;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final Timing TIMING = new Timing(100, 10_000, 10_000, 0, 300);

    final List<LossPoint> losses = new CopyOnWriteArrayList<>();
    final List<Resize> resizes = new CopyOnWriteArrayList<>();
    final List<SpeedSample> speeds = new CopyOnWriteArrayList<>();
    final List<ProgramReport> reports = new CopyOnWriteArrayList<>();
    final List<String> warnings = new CopyOnWriteArrayList<>();
    final List<String> steppedBack = new CopyOnWriteArrayList<>();
    final Map<TaskId, String> lost = new ConcurrentHashMap<>();
    final List<TaskId> released = new CopyOnWriteArrayList<>();
    final Map<TaskId, ByteArrayOutputStream> outputs = new ConcurrentHashMap<>();
    volatile @Nullable TrainingResult result;
    volatile @Nullable String failure;

    private final JobSecret secret = JobSecret.random();
    private final Map<String, String> variables;
    private final List<Thread> threads = new ArrayList<>();
    private final List<CommandTask> tasks = new ArrayList<>();
    final ElasticCoordinator coordinator;

    CommandJob(Elasticity elastic, int mostWorkers, Map<String, String> variables) throws IOException {
        this(
                elastic,
                false,
                new Allocation(0, 1),
                new Allocation(0, mostWorkers),
                new StopRule.FirstOf(List.of()),
                variables);
    }

    CommandJob(
            Elasticity elastic,
            boolean chief,
            Allocation minimum,
            Allocation maximum,
            StopRule stop,
            Map<String, String> variables)
            throws IOException {
        this.variables = variables;
        CommandSpec spec = new CommandSpec(new TreeMap<>(), elastic, GRACE_SECONDS, chief, "", new TreeMap<>());
        CommandSettings settings = new CommandSettings(
                spec,
                "application_1_1",
                1,
                new CommandSettings.Sizes(minimum, maximum),
                stop,
                OptionalDouble.of(0.9),
                TIMING);
        coordinator = new ElasticCoordinator(
                secret,
                PortRange.ANY,
                settings.welcome(),
                (connected, events) -> new CommandRun(settings, this, connected));
        coordinator.start();
    }

    /** Starts a task that runs {@code line} in a shell, and waits until it is ready. */
    TaskId add(TaskId id, String line) throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        outputs.put(id, output);
        CommandTask task = new CommandTask(
                new TaskEnvironment("127.0.0.1", coordinator.port(), id, "127.0.0.1", secret),
                new Command(List.of("bash", "-c", line), variables, Duration.ofSeconds(GRACE_SECONDS)),
                output);
        tasks.add(task);
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // The coordinator has lost it; a process would exit.
                    }
                },
                "test-" + id);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
        await(id + " is ready", () -> coordinator.readyTasks().contains(id));
        return id;
    }

    TaskId worker(int index, String line) throws IOException {
        return add(TaskId.worker(index), line);
    }

    void target(TaskId... wanted) {
        coordinator.target(new TreeSet<>(List.of(wanted)));
    }

    /** What the command of a task has printed, as text. */
    String output(TaskId task) {
        ByteArrayOutputStream output = outputs.get(task);
        return output == null ? "" : output.toString(StandardCharsets.UTF_8);
    }

    void awaitOutput(TaskId task, String text) {
        await(task + " has printed '" + text + "'", () -> output(task).contains(text));
    }

    TrainingResult awaitResult() {
        await("the job has ended", () -> result != null || failure != null);
        assertThat(failure).isNull();
        return Objects.requireNonNull(result, "The job has no result");
    }

    void await(String what, BooleanSupplier condition) {
        await(what, PATIENCE_MILLIS, condition);
    }

    void await(String what, long patienceMillis, BooleanSupplier condition) {
        long until = System.nanoTime() + patienceMillis * 1_000_000;
        try {
            while (!condition.getAsBoolean()) {
                assertThat(System.nanoTime())
                        .as(
                                "waiting until %s; status %s, lost %s, outputs %s",
                                what, coordinator.status(), lost, outputs)
                        .isLessThan(until);
                Thread.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void awaitState(State state) {
        await("the job is " + state, () -> coordinator.status().state() == state);
    }

    @Override
    public void taskReady(TaskId task) {}

    @Override
    public void taskReleased(TaskId task) {
        released.add(task);
    }

    @Override
    public void taskLost(TaskId task, String reason) {
        lost.put(task, reason);
    }

    @Override
    public void loss(LossPoint point) {
        losses.add(point);
    }

    @Override
    public void reported(ProgramReport report) {
        reports.add(report);
    }

    @Override
    public void speed(SpeedSample sample) {
        speeds.add(sample);
    }

    @Override
    public void resized(Resize resize) {
        resizes.add(resize);
    }

    @Override
    public void steppedBack(long fromStep, long toStep) {
        steppedBack.add(fromStep + " to " + toStep);
    }

    @Override
    public void checkpointed(long step) {}

    @Override
    public void warned(String message) {
        warnings.add(message);
    }

    @Override
    public void finished(TrainingResult how) {
        result = how;
    }

    @Override
    public void failed(String reason) {
        failure = reason;
    }

    @Override
    public void close() throws IOException {
        for (CommandTask task : tasks) {
            task.close();
        }
        coordinator.close();
    }
}
