package io.optimus.am.coordinator.command;

import io.optimus.am.coordinator.ConnectedTasks;
import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.coordinator.JobEvents;
import io.optimus.am.coordinator.TaskConnection;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.net.Socket;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs commands that train by themselves. They start together once all tasks of the target are idle, and learn each
 * other's addresses. A new target restarts all commands; with torchrun, only joining ones start and leaving ones end.
 *
 * <pre>
 * WAITING   → STEPPING ENDING          too few tasks are idle
 * STEPPING  → SWITCHING ENDING         commands run
 * SWITCHING → WAITING ENDING           commands were told to end, for a resize or after a loss
 * ENDING    → ENDED                    commands were told to end for good
 * </pre>
 *
 * <p>Example: workers 0 and 1 run, and the target is workers 0, 1 and 2. Once worker 2 is idle, 0 and 1 get SIGTERM. When both
 * have ended, all three start with WORLD_SIZE=3, and go on from the checkpoint that the commands wrote.
 *
 * <p>Runs on one thread.
 */
public final class CommandRun implements JobEvents {
    private static final Logger LOG = LoggerFactory.getLogger(CommandRun.class);
    /** A command that was killed has ended by then, and its task has said so. */
    private static final long KILL_MILLIS = 30_000;

    /** A resize is reported by then, although the commands have not reported a step. */
    private static final long FIRST_STEP_MILLIS = 300_000;

    private final CommandSettings settings;
    private final CoordinatorListener listener;
    private final ConnectedTasks connected;
    private final CommandProgress progress;

    /** Tasks without a command, with their reserved addresses. */
    private final NavigableMap<TaskId, RunningTask> idle = new TreeMap<>();
    /** Tasks whose command runs, members or leaving ones. */
    private final NavigableMap<TaskId, RunningTask> running = new TreeMap<>();
    /** The membership in which a running command was started. */
    private final NavigableMap<TaskId, MembershipNumber> startedIn = new TreeMap<>();

    private final NavigableSet<TaskId> members = new TreeSet<>();
    /** Members whose command has ended with exit code 0. */
    private final Set<TaskId> succeeded = new HashSet<>();

    private final NavigableSet<TaskId> target = new TreeSet<>();
    private final NavigableSet<TaskId> known = new TreeSet<>();
    /** Tasks that are not needed any more, and end once their command has. */
    private final NavigableSet<TaskId> released = new TreeSet<>();
    /** Tasks that were told to leave. */
    private final Set<TaskId> leaving = new HashSet<>();

    private State state = State.WAITING;
    private MembershipNumber number;
    /** Where the commands of the membership meet. */
    private @Nullable RunningTask first;

    private Allocation before = Allocation.NONE;
    private Cause cause = Cause.STARTED;
    private long pausedNanos = System.nanoTime();
    private long sinceNanos = System.nanoTime();
    private @Nullable PendingResize pending;

    private String failure = "";
    private String endReason = "";
    private boolean converged;

    /** A resize whose first step has not been reported yet. */
    private record PendingResize(Allocation from, Allocation to, Cause cause, long pausedNanos, long startedNanos) {
        Resize done(long step, long nowNanos) {
            long pause = from.isNone() ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - pausedNanos);
            return new Resize(from, to, pause, step, cause);
        }
    }

    /** Waits for tasks. */
    public CommandRun(CommandSettings settings, CoordinatorListener listener) {
        this.settings = settings;
        this.listener = listener;
        this.number = new MembershipNumber(settings.attempt(), 0);
        this.progress = new CommandProgress(settings, listener);
        this.connected = new ConnectedTasks(new Message.Welcome(
                TrainingMode.SYNCHRONOUS,
                1,
                0,
                1,
                settings.timing().heartbeatMillis(),
                settings.timing().silenceMillis()));
    }

    @Override
    public void resume() {
        // The commands resume from their own checkpoints.
    }

    // What the ApplicationMaster asks for -----------------------------------------------------------------------------

    @Override
    public void target(Set<TaskId> wanted) {
        target.clear();
        target.addAll(wanted);
        target.retainAll(connected.tasks());
        target.removeAll(leaving);
        released.removeAll(target);
        reconcile();
    }

    @Override
    public void release(TaskId task) {
        target.remove(task);
        if (members.contains(task) || running.containsKey(task)) {
            released.add(task);
            reconcile();
        } else {
            leave(task, "it is not needed any more");
        }
    }

    @Override
    public void stop(String reason) {
        end(reason, false);
    }

    @Override
    public void fail(String reason) {
        if (state != State.ENDED && failure.isEmpty()) {
            failure = reason;
            end(reason, false);
        }
    }

    // What tasks say --------------------------------------------------------------------------------------------------

    @Override
    public void connected(TaskConnection connection) {
        if (!connected.add(connection)) {
            connection.send(new Message.Leave("Another process is or was " + connection.task()));
            connection.closeAfterwards();
        }
    }

    @Override
    public void disconnected(TaskConnection connection, String reason) {
        if (connected.has(connection)) {
            lost(connection.task(), reason);
        }
    }

    @Override
    public void received(TaskConnection connection, FromTask message) {
        TaskId task = connection.task();
        if (!connected.has(connection)) {
            return;
        }
        connected.received(task, message);
        if (message instanceof Message.CommandReady ready) {
            ready(new RunningTask(task, ready.host(), ready.port()));
        } else if (message instanceof Message.CommandReport report) {
            report(task, report);
        } else if (message instanceof Message.CommandEnded ended) {
            ended(task, ended);
        } else if (message instanceof Message.Unable unable) {
            lost(task, unable.reason());
        } else if (!(message instanceof Message.Alive)) {
            LOG.warn("task={} sent what no command sends: {}", task, message);
        }
    }

    private void ready(RunningTask task) {
        if (!leaving.contains(task.id())) {
            idle.put(task.id(), task);
        }
        if (known.add(task.id())) {
            listener.taskReady(task.id());
        }
        reconcile();
    }

    private void report(TaskId task, Message.CommandReport report) {
        if (state != State.STEPPING || task.role() != Role.WORKER || !members.contains(task)) {
            return;
        }
        Optional<StopRule.Stop> stop = progress.take(task, report, System.nanoTime());
        resizeDone();
        stop.ifPresent(why -> end(why.sentence(), why.converged()));
    }

    private void ended(TaskId task, Message.CommandEnded ended) {
        if (!ended.number().equals(startedIn.get(task))) {
            return;
        }
        running.remove(task);
        startedIn.remove(task);
        LOG.info("command ended task={} membership={} exitCode={}", task, ended.number(), ended.exitCode());
        if (state == State.STEPPING && members.contains(task)) {
            if (ended.exitCode() != 0) {
                lost(task, "its command " + ended.reason());
                return;
            }
            succeeded.add(task);
            if (isDone()) {
                end("the commands have ended with exit code 0", false);
            }
        } else if (ended.exitCode() != 0) {
            LOG.info("task={} its command {}", task, ended.reason());
        }
        reconcile();
    }

    /** Whether all workers have succeeded, or the chief has. */
    private boolean isDone() {
        List<TaskId> workers =
                members.stream().filter(task -> task.role() == Role.WORKER).toList();
        return succeeded.containsAll(settings.commands().chief() ? workers.subList(0, 1) : workers);
    }

    @Override
    public void lost(TaskId task, String reason) {
        ConnectedTasks.Was was = connected.remove(task);
        if (was == ConnectedTasks.Was.UNKNOWN) {
            return;
        }
        boolean member = members.remove(task);
        boolean meeting = first != null && first.id().equals(task);
        idle.remove(task);
        running.remove(task);
        startedIn.remove(task);
        known.remove(task);
        target.remove(task);
        released.remove(task);
        leaving.remove(task);
        if (was == ConnectedTasks.Was.LEAVING) {
            listener.taskReleased(task);
        } else {
            listener.taskLost(task, reason);
        }
        if (member && state == State.STEPPING) {
            Cause why = task.role() == Role.WORKER ? Cause.WORKER_LOST : Cause.SERVER_LOST;
            if (isLive() && !meeting && settings.sizes().minimum().isWithin(count(members))) {
                change(why);
            } else {
                endCommands(why);
            }
        }
        reconcile();
    }

    // Time ------------------------------------------------------------------------------------------------------------

    @Override
    public void tick() {
        connected.sendHeartbeats();
        connected.late(settings.timing().silenceMillis(), Long.MAX_VALUE).forEach(this::lost);
        long now = System.nanoTime();
        long limit = TimeUnit.SECONDS.toMillis(settings.commands().graceSeconds()) + KILL_MILLIS;
        boolean ends = state == State.SWITCHING || state == State.ENDING;
        if (ends && now - sinceNanos > TimeUnit.MILLISECONDS.toNanos(limit)) {
            for (TaskId late : new TreeSet<>(connected.tasks())) {
                if (running.containsKey(late) || state == State.ENDING) {
                    lost(late, "its command did not end within " + limit + " ms");
                }
            }
        }
        PendingResize resize = pending;
        if (resize != null && now - resize.startedNanos > TimeUnit.MILLISECONDS.toNanos(FIRST_STEP_MILLIS)) {
            resizeDone();
        }
        reconcile();
    }

    // Memberships -----------------------------------------------------------------------------------------------------

    private void reconcile() {
        switch (state) {
            case WAITING -> begin();
            case STEPPING -> {
                if (succeeded.isEmpty()
                        && !target.equals(members)
                        && idle.keySet().containsAll(joiners())) {
                    resize();
                }
            }
            case SWITCHING -> {
                if (running.isEmpty()) {
                    switched();
                }
            }
            case ENDING -> {
                if (running.isEmpty()) {
                    connected.tasks().forEach(task -> leave(task, "training has ended"));
                    reportEnd();
                }
            }
            case ENDED -> {}
        }
        leaveUnneeded();
    }

    private NavigableSet<TaskId> joiners() {
        NavigableSet<TaskId> joiners = new TreeSet<>(target);
        joiners.removeAll(members);
        return joiners;
    }

    /** Starts the commands of the target, if all its tasks are idle. */
    private void begin() {
        if (target.isEmpty()
                || !settings.sizes().minimum().isWithin(count(target))
                || !idle.keySet().containsAll(target)) {
            return;
        }
        members.addAll(target);
        first = null;
        for (TaskId task : target) {
            first = first == null ? idle.get(task) : first;
        }
        state = State.STEPPING;
        start(target);
        announce(cause);
    }

    /** Runs the commands of {@code joining}, which are idle, as part of the next membership. */
    private void start(Collection<TaskId> joining) {
        number = number.next();
        for (TaskId task : joining) {
            RunningTask address = idle.remove(task);
            if (address != null) {
                running.put(task, address);
                startedIn.put(task, number);
            }
        }
        RunningTask meeting = first;
        if (meeting == null) {
            throw new IllegalStateException("Commands start without a place to meet");
        }
        List<RunningTask> together =
                members.stream().map(running::get).filter(task -> task != null).toList();
        CommandEnvironment environment = new CommandEnvironment(settings, number, meeting, together);
        joining.forEach(task -> connected.send(task, new Message.RunCommand(number, environment.of(task))));
    }

    /** A membership begins to train. */
    private void announce(Cause why) {
        Allocation now = count(members);
        progress.begin(now);
        pending = new PendingResize(before, now, why, pausedNanos, System.nanoTime());
        before = now;
        cause = Cause.PLANNED;
        if (!progress.hasReported()) {
            resizeDone();
        }
    }

    private void resizeDone() {
        PendingResize resize = pending;
        if (resize != null) {
            pending = null;
            listener.resized(resize.done(progress.step(), System.nanoTime()));
        }
    }

    private void resize() {
        List<TaskId> surplus =
                members.stream().filter(task -> !target.contains(task)).toList();
        released.addAll(surplus);
        RunningTask meeting = first;
        boolean staysEnough = settings.sizes().minimum().isWithin(count(target));
        if (isLive() && staysEnough && meeting != null && target.contains(meeting.id())) {
            NavigableSet<TaskId> joining = joiners();
            members.addAll(joining);
            surplus.forEach(members::remove);
            surplus.forEach(this::endCommand);
            start(joining);
            change(Cause.PLANNED);
        } else {
            endCommands(Cause.PLANNED);
        }
    }

    /** The members have changed while their commands go on. */
    private void change(Cause why) {
        resizeDone();
        progress.end();
        pausedNanos = System.nanoTime();
        announce(why);
    }

    private boolean isLive() {
        return settings.commands().elastic() == Elasticity.TORCHRUN;
    }

    /** Tells all commands to end, so that they can start again. */
    private void endCommands(Cause why) {
        resizeDone();
        progress.end();
        state = State.SWITCHING;
        sinceNanos = System.nanoTime();
        pausedNanos = sinceNanos;
        cause = why;
        running.keySet().forEach(this::endCommand);
    }

    private void endCommand(TaskId task) {
        MembershipNumber started = startedIn.get(task);
        if (started != null) {
            connected.send(task, new Message.EndCommand(started));
        }
    }

    private void switched() {
        members.clear();
        succeeded.clear();
        state = State.WAITING;
        begin();
    }

    /** Tasks whose commands have ended, and which are neither members nor in the target, end. */
    private void leaveUnneeded() {
        if (state == State.ENDING || state == State.ENDED) {
            return;
        }
        for (TaskId task : List.copyOf(released)) {
            if (!members.contains(task) && !running.containsKey(task)) {
                leave(task, "it is not needed any more");
            }
        }
    }

    private void leave(TaskId task, String why) {
        target.remove(task);
        released.remove(task);
        idle.remove(task);
        if (leaving.add(task)) {
            connected.send(task, new Message.Leave(why));
        }
    }

    // The end ---------------------------------------------------------------------------------------------------------

    private void end(String reason, boolean byConvergence) {
        if (state == State.ENDING || state == State.ENDED) {
            return;
        }
        if (state == State.STEPPING) {
            resizeDone();
            progress.end();
        }
        endReason = reason;
        converged = byConvergence;
        state = State.ENDING;
        sinceNanos = System.nanoTime();
        running.keySet().forEach(this::endCommand);
        reconcile();
    }

    private void reportEnd() {
        if (!connected.tasks().isEmpty()) {
            return;
        }
        state = State.ENDED;
        if (!failure.isEmpty()) {
            listener.failed(failure);
            return;
        }
        listener.finished(new TrainingResult(
                converged,
                endReason,
                progress.step(),
                progress.progress().epoch(),
                progress.finalLoss(),
                Optional.empty(),
                Optional.empty()));
    }

    // What others see -------------------------------------------------------------------------------------------------

    @Override
    public SortedSet<TaskId> loading() {
        SortedSet<TaskId> loading = connected.tasks();
        loading.removeAll(known);
        return Collections.unmodifiableSortedSet(loading);
    }

    @Override
    public CoordinatorStatus status() {
        double speed = progress.progress().stepsPerSecond().orElse(0);
        NavigableMap<TaskId, TaskStatus> tasks = new TreeMap<>();
        for (TaskId task : known) {
            boolean member = members.contains(task);
            tasks.put(task, new TaskStatus(member, member && state == State.STEPPING ? speed : 0));
        }
        boolean together = state == State.STEPPING || state == State.SWITCHING;
        return new CoordinatorStatus(
                state,
                progress.progress(),
                Optional.empty(),
                number,
                together ? count(members) : Allocation.NONE,
                tasks);
    }

    private static Allocation count(Collection<TaskId> tasks) {
        Allocation count = Allocation.NONE;
        for (TaskId task : tasks) {
            count = count.plus(task.role(), 1);
        }
        return count;
    }

    @Override
    public void serveCheckpoint(Socket socket, TaskId task) throws IOException {
        throw new IOException(task + " has no checkpoint: commands write their own");
    }

    @Override
    public void close() {
        // The connections are closed with the coordinator's sockets.
    }
}
