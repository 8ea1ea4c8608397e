package io.optimus.am.coordinator.command;

import io.optimus.am.coordinator.ConnectedTasks;
import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.engine.StepTotals;
import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.convergence.StopRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
 * Runs the memberships of commands that train by themselves. The commands start together once all tasks of the target are
 * idle, and learn each other's addresses. A new target restarts all commands; with torchrun, only joining ones start and
 * leaving ones end.
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
final class CommandRun {
    private static final Logger LOG = LoggerFactory.getLogger(CommandRun.class);
    /** A command that was killed has ended by then, and its task has said so. */
    private static final long KILL_MILLIS = 30_000;

    private static final String SUCCEEDED = "the commands have ended with exit code 0";

    private final CommandSettings settings;
    private final CoordinatorListener listener;
    private final ConnectedTasks connected;
    private final CommandTasks tasks;
    private final CommandProgress progress;
    private final CommandResizes resizes;

    private final NavigableSet<TaskId> members = new TreeSet<>();
    /** Members whose command has ended with exit code 0. */
    private final Set<TaskId> succeeded = new HashSet<>();
    /** While commands end: the workers whose success would have ended the job before they were told to. */
    private List<TaskId> deciding = List.of();

    private final NavigableSet<TaskId> target = new TreeSet<>();

    private State state = State.WAITING;
    private MembershipNumber number;
    /** The member at whose address the commands meet. */
    private @Nullable TaskId first;

    /** When commands were last told to end. */
    private long endingNanos;

    private String failure = "";
    private String endReason = "";
    private boolean converged;

    /** Waits for tasks. */
    CommandRun(CommandSettings settings, CoordinatorListener listener, ConnectedTasks connected) {
        this.settings = settings;
        this.listener = listener;
        this.connected = connected;
        this.number = new MembershipNumber(settings.attempt(), 0);
        this.tasks = new CommandTasks(connected);
        this.progress = new CommandProgress(settings, listener);
        this.resizes = new CommandResizes(listener);
    }

    // Commands of an earlier attempt ----------------------------------------------------------------------------------

    /** Takes over the commands of an earlier attempt, whose tasks have all come; called before any other task is known. */
    void goOn(ReturningCommands back) {
        back.states().forEach(this::adopt);
        back.last(isLive()).ifPresent(last -> goOn(last, back));
        back.states().forEach((task, is) -> is.ended().ifPresent(how -> {
            ended(task, how);
            if (is.port() != 0 && connected.tasks().contains(task)) {
                ready(new ReservedAddress(task, is.host(), is.port()));
            }
        }));
    }

    private void adopt(TaskId task, Message.CommandState is) {
        ReservedAddress address = new ReservedAddress(task, is.host(), is.port());
        is.started().ifPresentOrElse(command -> tasks.runs(address, command.number()), () -> tasks.ready(address));
        listener.taskReady(task);
    }

    private void goOn(ReturningCommands.Last last, ReturningCommands back) {
        LOG.info("taken over commands={} missing={} step={}", last.members(), last.missing(), last.step());
        listener.commandsGoOn(back.states().size());
        state = State.STEPPING;
        first = last.first();
        members.addAll(last.all());
        progress.goOn(count(members), last.step());
        resizes.goOn(count(members));
        back.later().forEach(told -> {
            if (told.message() instanceof Message.CommandReport report) {
                report(told.task(), report);
            }
        });
        back.states().forEach((task, is) -> is.ended()
                .filter(how -> how.exitCode() == 0 && members.contains(task))
                .ifPresent(how -> succeeded.add(task)));
        if (state == State.STEPPING && isDone()) {
            end(SUCCEEDED);
        }
        if (state == State.STEPPING) {
            goOnOrStartAgain(last, back.states());
        }
    }

    /** The commands end and start again if their membership is not whole any more; those of torchrun go on if they can. */
    private void goOnOrStartAgain(ReturningCommands.Last last, Map<TaskId, Message.CommandState> states) {
        List<TaskId> decidingBefore = decidingMembers();
        members.retainAll(last.members());
        NavigableSet<TaskId> others = tasks.running();
        others.removeAll(members);
        boolean staysLive = isLive()
                && members.contains(last.first())
                && settings.sizes().minimum().isWithin(count(members));
        if (last.missing().isEmpty() || staysLive) {
            target.addAll(members);
            tasks.release(others);
            others.forEach(tasks::endCommand);
            progress.goOnWith(count(members));
            resizes.takenOver(count(members), progress.step());
            return;
        }
        target.addAll(last.all());
        target.addAll(others);
        target.retainAll(states.keySet());
        members.addAll(others);
        endCommands(states.keySet().containsAll(last.missing()) ? Cause.PLANNED : Cause.WORKER_LOST, decidingBefore);
    }

    // What the ApplicationMaster asks for -----------------------------------------------------------------------------

    void target(Set<TaskId> wanted) {
        target.clear();
        target.addAll(wanted);
        target.retainAll(tasks.staying());
        tasks.keep(target);
        reconcile();
    }

    void release(TaskId task) {
        target.remove(task);
        tasks.release(Set.of(task));
        reconcile();
    }

    void stop(String reason) {
        end(reason);
    }

    void fail(String reason) {
        if (state != State.ENDED && failure.isEmpty()) {
            failure = reason;
            end(reason);
        }
    }

    // What tasks say --------------------------------------------------------------------------------------------------

    void ready(ReservedAddress address) {
        if (tasks.ready(address)) {
            listener.taskReady(address.task());
        }
        reconcile();
    }

    void report(TaskId task, Message.CommandReport report) {
        if (state != State.STEPPING || task.role() != Role.WORKER || !members.contains(task)) {
            return;
        }
        Optional<StopRule.Stop> stop = progress.take(task, report, connected.nanos());
        resizeDone();
        stop.ifPresent(why -> {
            converged = why.converged();
            end(why.sentence());
        });
    }

    void ended(TaskId task, Message.CommandEnded ended) {
        if (!tasks.ended(task, ended.number())) {
            return;
        }
        LOG.info("command ended task={} membership={} exitCode={}", task, ended.number(), ended.exitCode());
        if (state == State.STEPPING && members.contains(task)) {
            if (ended.exitCode() != 0 || !ended.byItself()) {
                lost(task, ended.byItself() ? "its command " + ended.reason() : "YARN ends its container");
                return;
            }
            succeeded.add(task);
            if (isDone()) {
                end(SUCCEEDED);
            }
        } else if (ended.exitCode() != 0) {
            LOG.info("task={} its command {}", task, ended.reason());
        } else if (state == State.SWITCHING && ended.byItself() && members.contains(task)) {
            // Others that failed because this one had ended may have told it first.
            succeeded.add(task);
            if (succeeded.containsAll(deciding)) {
                end(SUCCEEDED);
            }
        }
        reconcile();
    }

    /** Whether all workers have succeeded, or the chief has. */
    private boolean isDone() {
        return succeeded.containsAll(decidingMembers());
    }

    /** The workers whose success ends the job: the chief, or all. */
    private List<TaskId> decidingMembers() {
        return members.stream()
                .filter(task -> task.role() == Role.WORKER)
                .limit(settings.commands().chief() ? 1 : Long.MAX_VALUE)
                .toList();
    }

    void lost(TaskId task, String reason) {
        ConnectedTasks.Was was = connected.giveUp(task, reason);
        if (was == ConnectedTasks.Was.UNKNOWN) {
            return;
        }
        List<TaskId> decidingBefore = decidingMembers();
        boolean member = members.remove(task);
        target.remove(task);
        tasks.lost(task);
        if (was == ConnectedTasks.Was.LEAVING) {
            listener.taskReleased(task);
        } else {
            listener.taskLost(task, reason);
        }
        if (member && state == State.STEPPING) {
            Cause why = task.role() == Role.WORKER ? Cause.WORKER_LOST : Cause.SERVER_LOST;
            if (isLive() && !task.equals(first) && settings.sizes().minimum().isWithin(count(members))) {
                pause(why);
                announce();
                if (isDone()) {
                    end(SUCCEEDED + ", but for one that was lost");
                }
            } else {
                endCommands(why, decidingBefore);
            }
        }
        reconcile();
    }

    // Time ------------------------------------------------------------------------------------------------------------

    void tick() {
        long now = connected.nanos();
        long limit = TimeUnit.SECONDS.toMillis(settings.commands().graceSeconds()) + KILL_MILLIS;
        boolean ends = state == State.SWITCHING || state == State.ENDING;
        if (ends && now - endingNanos > TimeUnit.MILLISECONDS.toNanos(limit)) {
            for (TaskId late : new TreeSet<>(connected.tasks())) {
                if (tasks.runs(late) || state == State.ENDING) {
                    lost(late, "its command did not end within " + limit + " ms");
                }
            }
        }
        if (resizes.isLate(now)) {
            resizes.stepped(progress.step(), now);
        }
        reconcile();
    }

    // Memberships -----------------------------------------------------------------------------------------------------

    /** Does what is due in this state. */
    void reconcile() {
        switch (state) {
            case WAITING -> begin();
            case STEPPING -> {
                if (succeeded.isEmpty() && !target.equals(members) && tasks.areIdle(joiners())) {
                    resize();
                }
            }
            case SWITCHING -> {
                if (tasks.noneRuns()) {
                    switched();
                }
            }
            case ENDING -> {
                if (tasks.noneRuns()) {
                    connected.tasks().forEach(task -> tasks.leave(task, "training has ended"));
                    reportEnd();
                }
            }
            case ENDED -> {}
        }
        if (state != State.ENDING && state != State.ENDED) {
            tasks.leaveReleased(members);
        }
    }

    private NavigableSet<TaskId> joiners() {
        NavigableSet<TaskId> joiners = new TreeSet<>(target);
        joiners.removeAll(members);
        return joiners;
    }

    /** Starts the commands of the target, if all its tasks are idle. */
    private void begin() {
        if (target.isEmpty() || !settings.sizes().minimum().isWithin(count(target)) || !tasks.areIdle(target)) {
            return;
        }
        members.addAll(target);
        first = target.first();
        state = State.STEPPING;
        start(target);
        announce();
    }

    /** Runs the commands of {@code joining}, which are idle, as part of the next membership. */
    private void start(Collection<TaskId> joining) {
        number = number.next();
        tasks.start(joining, number);
        List<ReservedAddress> addresses = tasks.addresses(members);
        ReservedAddress meeting = addresses.stream()
                .filter(address -> address.task().equals(first))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Commands start without a place to meet"));
        CommandEnvironment environment = new CommandEnvironment(settings, number, meeting, addresses);
        List<TaskId> all = new ArrayList<>(members);
        all.remove(meeting.task());
        all.add(0, meeting.task());
        joining.forEach(task -> connected.send(task, new Message.RunCommand(number, all, environment.of(task))));
    }

    /** A membership begins to train. */
    private void announce() {
        Allocation now = count(members);
        progress.begin(now);
        resizes.begun(now, connected.nanos());
        if (!progress.hasReported()) {
            resizeDone();
        }
    }

    private void resizeDone() {
        resizes.stepped(progress.step(), connected.nanos());
    }

    private void resize() {
        List<TaskId> surplus =
                members.stream().filter(task -> !target.contains(task)).toList();
        tasks.release(surplus);
        boolean staysEnough = settings.sizes().minimum().isWithin(count(target));
        if (isLive() && staysEnough && first != null && target.contains(first)) {
            NavigableSet<TaskId> joining = joiners();
            members.addAll(joining);
            surplus.forEach(members::remove);
            surplus.forEach(tasks::endCommand);
            start(joining);
            pause(Cause.PLANNED);
            announce();
        } else {
            endCommands(Cause.PLANNED, decidingMembers());
        }
    }

    /** The commands stop to step, or the members change while they go on. */
    private void pause(Cause why) {
        resizeDone();
        progress.end();
        resizes.paused(why, connected.nanos());
    }

    private boolean isLive() {
        return settings.commands().elastic() == Elasticity.TORCHRUN;
    }

    /** Tells all commands to end, so that they can start again, unless those of {@code workers} have succeeded already. */
    private void endCommands(Cause why, List<TaskId> workers) {
        pause(why);
        deciding = workers;
        state = State.SWITCHING;
        endingNanos = connected.nanos();
        tasks.endCommands();
    }

    private void switched() {
        tasks.release(members.stream().filter(task -> !target.contains(task)).toList());
        members.clear();
        succeeded.clear();
        state = State.WAITING;
        begin();
    }

    // The end ---------------------------------------------------------------------------------------------------------

    private void end(String reason) {
        if (state == State.ENDING || state == State.ENDED) {
            return;
        }
        if (state == State.STEPPING) {
            resizeDone();
            progress.end();
        }
        endReason = reason;
        state = State.ENDING;
        endingNanos = connected.nanos();
        tasks.endCommands();
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

    SortedSet<TaskId> loading() {
        SortedSet<TaskId> loading = connected.tasks();
        loading.removeAll(tasks.known());
        return Collections.unmodifiableSortedSet(loading);
    }

    CoordinatorStatus status() {
        double speed = progress.progress().stepsPerSecond().orElse(0);
        NavigableMap<TaskId, TaskStatus> statuses = new TreeMap<>();
        for (TaskId task : tasks.known()) {
            boolean member = members.contains(task);
            statuses.put(task, new TaskStatus(member, member && state == State.STEPPING ? speed : 0, StepTotals.NONE));
        }
        boolean together = state == State.STEPPING || state == State.SWITCHING;
        return new CoordinatorStatus(
                state,
                progress.progress(),
                Optional.empty(),
                number,
                together ? count(members) : Allocation.NONE,
                statuses);
    }

    private static Allocation count(Collection<TaskId> tasks) {
        Allocation count = Allocation.NONE;
        for (TaskId task : tasks) {
            count = count.plus(task.role(), 1);
        }
        return count;
    }
}
