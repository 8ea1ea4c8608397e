package io.optimus.am.command;

import io.optimus.am.command.CommandTask.Command;
import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.coordinator.ElasticCoordinator;
import io.optimus.am.coordinator.RecordedEvents;
import io.optimus.am.coordinator.TrainingSettings.Timing;
import io.optimus.am.coordinator.command.CommandEventHandler;
import io.optimus.am.coordinator.command.CommandSettings;
import io.optimus.am.job.CommandSpec;
import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TakeOver.Successor;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.LossPoint;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Runs a job of commands on this machine: a coordinator and tasks as threads, and the commands as processes. */
final class CommandJob extends RecordedEvents implements Closeable {
    static final int GRACE_SECONDS = 2;
    private static final Timing TIMING = new Timing(100, 10_000, 10_000, 10_000, 10_000, 0, 300, 60_000);

    final List<LossPoint> losses = new CopyOnWriteArrayList<>();
    final Map<TaskId, ByteArrayOutputStream> outputs = new ConcurrentHashMap<>();

    private final JobSecret secret = JobSecret.random();
    private final Map<String, String> variables;
    /** Tasks that the coordinator has given up, and that have ended. */
    final Set<TaskId> exited = ConcurrentHashMap.newKeySet();

    private final Map<TaskId, CommandTask> tasks = new ConcurrentHashMap<>();
    private final Map<TaskId, ServerAddress> reachable = new ConcurrentHashMap<>();
    private final CommandSpec spec;
    private final CommandSettings.Sizes sizes;
    private final StopRule stop;
    private int attempt;
    private volatile int lostAttempt;
    volatile ElasticCoordinator coordinator;

    /** How many tasks each attempt after the first has taken over, if commands run on. */
    final List<Integer> goneOn = new CopyOnWriteArrayList<>();

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
        this.spec = new CommandSpec(new TreeMap<>(), elastic, GRACE_SECONDS, chief, "", new TreeMap<>());
        this.sizes = new CommandSettings.Sizes(minimum, maximum);
        this.stop = stop;
        this.coordinator = nextCoordinator();
    }

    private ElasticCoordinator nextCoordinator() throws IOException {
        int now = ++attempt;
        CommandSettings settings =
                new CommandSettings(spec, "application_1_1", now, sizes, stop, OptionalDouble.of(0.9), TIMING);
        CoordinatorListener listener = listener(now);
        ElasticCoordinator next = new ElasticCoordinator(
                secret,
                PortRange.ANY,
                settings.welcome().awaitingSuccessor(),
                (connected, events) -> new CommandEventHandler(settings, listener, connected));
        next.start();
        return next;
    }

    /** What a coordinator tells while its process lives. */
    private CoordinatorListener listener(int of) {
        return (CoordinatorListener) Proxy.newProxyInstance(
                CommandJob.class.getClassLoader(),
                new Class<?>[] {CoordinatorListener.class},
                (proxy, method, arguments) -> of <= lostAttempt ? null : method.invoke(this, arguments));
    }

    /** The coordinator dies, as with its process. */
    void loseCoordinator() {
        lostAttempt = attempt;
        coordinator.close();
    }

    /** The coordinator of another attempt takes over the tasks, and waits until it is certain what goes on. */
    void takeOver() throws IOException {
        takeOver(coordinator -> {});
    }

    /** The same, while {@code meanwhile} is asked for. */
    void takeOver(Consumer<ElasticCoordinator> meanwhile) throws IOException {
        AtomicBoolean certain = new AtomicBoolean();
        coordinator = nextCoordinator();
        coordinator.takeOver(
                reachable.values(), new Successor(attempt, "127.0.0.1", coordinator.port()), () -> certain.set(true));
        meanwhile.accept(coordinator);
        await("taken over", certain::get);
    }

    /** Ends a task's process, as a signal would. */
    void kill(TaskId task) throws IOException {
        Objects.requireNonNull(tasks.get(task), task::toString).close();
    }

    @Override
    public void taskReachable(TaskId task, ServerAddress at) {
        reachable.put(task, at);
    }

    @Override
    public void commandsGoOn(int of) {
        goneOn.add(of);
    }

    /** Starts a task that runs {@code line} in a shell, and waits until it is ready. */
    TaskId add(TaskId id, String line) throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        outputs.put(id, output);
        CommandTask task = new CommandTask(
                new TaskEnvironment("127.0.0.1", coordinator.port(), id, "127.0.0.1", secret),
                new Command(List.of("bash", "-c", line), variables, Duration.ofSeconds(GRACE_SECONDS)),
                output);
        tasks.put(id, task);
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // The coordinator has lost it; a process would exit.
                        exited.add(id);
                    }
                },
                "test-" + id);
        thread.setDaemon(true);
        thread.start();
        await(id + " is ready", () -> coordinator.readyTasks().contains(id));
        return id;
    }

    /** Connects as a task does; the test says what that task says. */
    CoordinatorConnection connectAs(TaskId id) throws IOException {
        return CoordinatorConnection.connect(
                new TaskEnvironment("127.0.0.1", coordinator.port(), id, "127.0.0.1", secret));
    }

    TaskId worker(int index, String line) throws IOException {
        return add(TaskId.worker(index), line);
    }

    void target(TaskId... wanted) {
        coordinator.target(new TreeSet<>(List.of(wanted)));
    }

    boolean hasFailed(TaskId task) {
        return Objects.requireNonNull(tasks.get(task), task::toString).hasFailed();
    }

    /** What the command of a task has printed, as text. */
    String output(TaskId task) {
        ByteArrayOutputStream output = outputs.get(task);
        return output == null ? "" : output.toString(StandardCharsets.UTF_8);
    }

    void awaitOutput(TaskId task, String text) {
        await(task + " has printed '" + text + "'", () -> output(task).contains(text));
    }

    @Override
    protected String describe() {
        return coordinator.status() + " outputs=" + outputs;
    }

    void awaitState(State state) {
        await("the job is " + state, () -> coordinator.status().state() == state);
    }

    @Override
    public void loss(LossPoint point) {
        losses.add(point);
    }

    @Override
    public void close() throws IOException {
        coordinator.close();
        for (CommandTask task : tasks.values()) {
            task.close();
        }
    }
}
