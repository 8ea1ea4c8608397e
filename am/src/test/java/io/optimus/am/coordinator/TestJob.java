package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.WorkerEngine;
import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.ps.ParameterServer;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TakeOver.Successor;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import io.optimus.am.worker.Worker;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.LossPoint;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs a job in one JVM: a coordinator, and tasks as threads over real sockets. */
public final class TestJob extends RecordedEvents implements Closeable {
    final JobSecret secret = JobSecret.random();
    volatile ElasticCoordinator coordinator;
    final NavigableMap<Long, Double> losses = new ConcurrentSkipListMap<>();
    final Map<TaskId, Throwable> endedBadly = new ConcurrentHashMap<>();
    final Set<TaskId> endedWell = ConcurrentHashMap.newKeySet();

    final List<String> goneOn = new CopyOnWriteArrayList<>();

    private final TrainingSettings settings;
    private final CheckpointStore store;
    private final Map<TaskId, ServerAddress> reachable = new ConcurrentHashMap<>();
    private int attempt;
    private volatile int lostAttempt;
    private final Supplier<? extends WorkerEngine> engines;
    private final Map<TaskId, Closeable> processes = new HashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Map<Role, Integer> nextIndex = new HashMap<>();
    /** The host at which others reach a task. */
    Function<TaskId, String> host = task -> "127.0.0.1";

    TestJob(TrainingSettings settings, CheckpointStore store, int attempt, Supplier<? extends WorkerEngine> engines)
            throws IOException {
        this.engines = engines;
        this.settings = settings;
        this.store = store;
        this.attempt = attempt;
        this.coordinator = newCoordinator(settings.welcome());
    }

    private ElasticCoordinator newCoordinator(Message.Welcome welcome) throws IOException {
        int now = attempt;
        ElasticCoordinator next = new ElasticCoordinator(
                secret,
                PortRange.ANY,
                welcome,
                (connected, events) ->
                        new TrainingEventHandler(settings, now, store, listener(now), connected, events));
        next.start();
        return next;
    }

    /** What a coordinator tells while its process lives. Losses may be on their way. */
    private CoordinatorListener listener(int of) {
        return (CoordinatorListener) Proxy.newProxyInstance(
                TestJob.class.getClassLoader(),
                new Class<?>[] {CoordinatorListener.class},
                (proxy, method, arguments) ->
                        of <= lostAttempt && !method.getName().equals("loss") ? null : method.invoke(this, arguments));
    }

    /** A job whose tasks outlive their coordinator. */
    static TestJob surviving(TrainingSettings settings, CheckpointStore store, Supplier<? extends WorkerEngine> engines)
            throws IOException {
        TestJob job = new TestJob(settings, store, 1, engines);
        job.coordinator.close();
        job.coordinator = job.newCoordinator(settings.welcome().awaitingSuccessor());
        return job;
    }

    /** The coordinator dies, as with its process. */
    void loseCoordinator() {
        lostAttempt = attempt;
        coordinator.close();
    }

    /** The coordinator of another attempt takes over the tasks, and waits until it is certain how training goes on. */
    void takeOver() throws IOException {
        takeOverWithout();
    }

    /** The same where YARN does not know the containers of {@code lost} any more. */
    void takeOverWithout(TaskId... lost) throws IOException {
        attempt++;
        int before = goneOn.size();
        coordinator = newCoordinator(settings.welcome().awaitingSuccessor());
        Successor self = new Successor(attempt, "127.0.0.1", coordinator.port());
        List<ServerAddress> dismissed =
                Arrays.stream(lost).map(reachable::remove).toList();
        coordinator.dismiss(dismissed, self);
        coordinator.takeOver(reachable.values(), self, () -> {});
        await("taken over", () -> goneOn.size() > before);
    }

    /** Where tasks can be called. */
    Map<TaskId, ServerAddress> reachable() {
        return reachable;
    }

    @Override
    public void taskReachable(TaskId task, ServerAddress at) {
        reachable.put(task, at);
    }

    @Override
    public void taskLost(TaskId task, String reason) {
        reachable.remove(task);
        super.taskLost(task, reason);
    }

    @Override
    public void taskReleased(TaskId task) {
        reachable.remove(task);
        super.taskReleased(task);
    }

    @Override
    public void goesOn(long step, boolean inMemory, int tasks) {
        losses.tailMap(step, true).clear();
        goneOn.add((inMemory ? "in memory" : "from a checkpoint") + " with " + tasks);
    }

    TaskEnvironment environment(TaskId task) {
        return new TaskEnvironment("127.0.0.1", coordinator.port(), task, host.apply(task), secret);
    }

    /** Starts one more task of {@code role} and waits until it is ready. */
    TaskId add(Role role) throws IOException {
        TaskId task = addWithoutWaiting(role);
        await(task + " is ready", () -> coordinator.status().tasks().containsKey(task));
        return task;
    }

    /** Starts one more task of {@code role}. */
    TaskId addWithoutWaiting(Role role) throws IOException {
        TaskId task = new TaskId(role, nextIndex.merge(role, 1, Integer::sum) - 1);
        Callable run;
        if (role == Role.WORKER) {
            Worker worker = new Worker(environment(task), engines::get);
            processes.put(task, worker);
            run = worker::run;
        } else {
            ParameterServer server = new ParameterServer(environment(task));
            processes.put(task, server);
            run = server::run;
        }
        Thread thread = new Thread(
                () -> {
                    try {
                        run.call();
                        endedWell.add(task);
                    } catch (Exception e) {
                        endedBadly.put(task, e);
                    }
                },
                "test-" + task);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
        return task;
    }

    private interface Callable {
        String call() throws Exception;
    }

    Set<TaskId> add(int servers, int workers) throws IOException {
        Set<TaskId> added = new TreeSet<>();
        for (int i = 0; i < servers; i++) {
            added.add(add(Role.PARAMETER_SERVER));
        }
        for (int i = 0; i < workers; i++) {
            added.add(add(Role.WORKER));
        }
        return added;
    }

    /** The port of a parameter server. */
    int serverPort(TaskId server) {
        return processes.get(server) instanceof ParameterServer running ? running.port() : 0;
    }

    /** Ends a task's connections as the death of its process does. */
    void kill(TaskId task) throws IOException {
        Closeable process = processes.get(task);
        if (process != null) {
            process.close();
        }
    }

    Set<TaskId> members() {
        Set<TaskId> members = new TreeSet<>();
        coordinator.status().tasks().forEach((task, status) -> {
            if (status.member()) {
                members.add(task);
            }
        });
        return members;
    }

    /** Makes {@code members} the membership and waits until it steps. */
    void resizeTo(Set<TaskId> members) {
        coordinator.target(members);
        await("members are " + members, () -> stepsOn(members));
    }

    boolean stepsOn(Set<TaskId> members) {
        CoordinatorStatus status = coordinator.status();
        return status.state() == CoordinatorStatus.State.STEPPING && members().equals(members);
    }

    long step() {
        return coordinator.status().progress().step();
    }

    void awaitStep(long step) {
        await("step " + step, () -> step() >= step);
    }

    @Override
    protected String describe() {
        return coordinator.status() + " ended=" + endedBadly + " goneOn=" + goneOn;
    }

    @Override
    public void loss(LossPoint point) {
        losses.put(point.step(), point.loss());
    }

    @Override
    public void steppedBack(long fromStep, long toStep) {
        losses.tailMap(toStep, true).clear();
        super.steppedBack(fromStep, toStep);
    }

    @Override
    public void close() throws IOException {
        coordinator.close();
        for (Closeable process : processes.values()) {
            process.close();
        }
        for (Thread thread : threads) {
            try {
                thread.join(PATIENCE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The losses in order of their steps. */
    NavigableMap<Long, Double> curve() {
        return new TreeMap<>(losses);
    }

    /** The counting engine's loss is the number of updates before the step, so it must equal the step. */
    void assertEveryStepOnce() {
        long expected = 0;
        for (Map.Entry<Long, Double> point : curve().entrySet()) {
            assertThat(point.getKey()).isEqualTo(expected);
            assertThat(point.getValue()).as("updates before step %d", expected).isEqualTo((double) expected);
            expected++;
        }
    }

    public static TrainingSettings settings(TrainingMode mode, Optimizer optimizer, int epochs) {
        return settings(
                mode, optimizer, epochs, new TrainingSettings.Timing(100, 3_000, 3_000, 5_000, 5_000, 0, 500, 60_000));
    }

    /** Returns settings with a batch of 64, a checkpoint every 50 steps, and a minimum of 1 ps and 1 worker. */
    public static TrainingSettings settings(
            TrainingMode mode, Optimizer optimizer, int epochs, TrainingSettings.Timing timing) {
        return settings(mode, optimizer, epochs, new Checkpoint(50, 3_600), timing);
    }

    public static TrainingSettings settings(
            TrainingMode mode, Optimizer optimizer, int epochs, Checkpoint checkpoint, TrainingSettings.Timing timing) {
        return new TrainingSettings(
                new TrainingSettings.Steps(mode, Communication.PARAMETER_SERVER, 64, 1, optimizer),
                new StopRule.MaxEpochs(epochs),
                OptionalDouble.empty(),
                new Allocation(1, 1),
                checkpoint,
                timing);
    }
}
