package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.membership.Membership;
import io.optimus.am.membership.MembershipMachine;
import io.optimus.am.membership.StateName;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Handles the events of the coordinator's event queue: passes them on to the membership machine and to the {@link
 * TrainingRun}, and finds tasks that hang. Runs on one thread, except where a method says otherwise.
 */
public final class TrainingEventHandler implements JobEvents {
    /** How long tasks of an earlier attempt have to connect. Those that do not are given up, and started anew. */
    private static final Duration LONGEST_RETURN = Duration.ofSeconds(10);

    private final TrainingSettings settings;
    private final CoordinatorListener listener;
    private final ConnectedTasks connected;
    private final TrainingRun training;
    private final MembershipMachine machine;
    /** The tasks of an earlier attempt while they come; null otherwise. */
    private @Nullable ReturningTasks returning;

    /**
     * Waits for tasks.
     *
     * @param settings the job
     * @param attempt the ApplicationMaster's attempt, 1 or more; memberships of earlier attempts are refused
     * @param store the place of checkpoints and the model; training resumes from the newest checkpoint in it
     * @param listener receives the events of the job
     * @param connected the job's tasks, as far as they are connected
     * @param events runs on the handler's thread what other threads pass to it
     */
    public TrainingEventHandler(
            TrainingSettings settings,
            int attempt,
            CheckpointStore store,
            CoordinatorListener listener,
            ConnectedTasks connected,
            Executor events) {
        this.settings = settings;
        this.listener = listener;
        this.connected = connected;
        this.training = new TrainingRun(settings, attempt, store, listener, connected, events);
        this.machine = training.machine();
    }

    @Override
    public void resume() throws IOException {
        training.resume();
    }

    @Override
    public void serveCheckpoint(Socket socket, TaskId task) throws IOException {
        training.checkpoints().serve(socket, task);
    }

    @Override
    public void fail(String reason) {
        training.fail(reason);
    }

    @Override
    public void takeOver(Set<TaskId> tasks, Runnable done) {
        returning = new ReturningTasks(tasks, connected.nanos() + LONGEST_RETURN.toNanos(), done);
        goOnIfComplete();
    }

    @Override
    public void unreachable(TaskId task) {
        ReturningTasks coming = returning;
        if (coming != null && !connected.tasks().contains(task)) {
            coming.lost(task);
            listener.taskLost(task, "the new ApplicationMaster could not call it");
            goOnIfComplete();
        }
    }

    /** Once all tasks have come that will, training goes on. */
    private void goOnIfComplete() {
        ReturningTasks back = returning;
        if (back == null || !back.areComplete(connected.nanos())) {
            return;
        }
        returning = null;
        back.missing().forEach(task -> listener.taskLost(task, "it did not come to the new ApplicationMaster"));
        Failover failover = training.failover();
        Optional<ReturningTasks.Last> last = failover.last(back);
        last.ifPresent(kept -> failover.restore(kept.kept()));
        back.ready().forEach(this::received);
        last.ifPresentOrElse(
                kept -> failover.takeOver(kept, back.tasks().size()), () -> failover.goOnWith(back.tasks()));
        back.target().ifPresent(machine::target);
        back.end();
    }

    @Override
    public void target(Set<TaskId> members) {
        ReturningTasks coming = returning;
        if (coming != null) {
            coming.target(members);
            return;
        }
        machine.target(members);
    }

    @Override
    public void release(TaskId task) {
        machine.release(task);
    }

    @Override
    public void stop(String reason) {
        training.stop(reason);
    }

    @Override
    public void lost(TaskId task, String reason) {
        ReturningTasks coming = returning;
        if (coming != null) {
            coming.lost(task);
        }
        switch (connected.remove(task)) {
            case UNKNOWN -> {}
            case LEAVING -> {
                listener.taskReleased(task);
                machine.lost(task);
            }
            case NEEDED -> {
                listener.taskLost(task, reason);
                machine.lost(task);
            }
        }
    }

    @Override
    public void warned(String what) {
        listener.warned(what);
    }

    @Override
    public void tick() {
        long silence = settings.timing().silenceMillis();
        long step = settings.timing().stepMillis();
        connected.late(silence, step, settings.timing().betweenEpochsMillis()).forEach(this::lost);
        long answer = longestAnswerMillis(machine.state());
        for (TaskId late : machine.lateAfter(TimeUnit.MILLISECONDS.toNanos(answer))) {
            if (!awaitsAnEvaluation(late, answer)) {
                lost(late, "it did not answer for " + answer + " ms while the job was " + machine.state());
            }
        }
        if (!aWorkerEvaluated(2 * step)
                && machine.makesNoProgress(training.progress().step(), TimeUnit.MILLISECONDS.toNanos(2 * step))) {
            listener.warned("No step was done for " + 2 * step + " ms: step "
                    + training.progress().step() + " is begun again");
            machine.restartStep();
        }
        goOnIfComplete();
        training.tick();
    }

    /**
     * Whether a task has not answered in time because a program evaluates, its own or that of a worker for which it waits. The
     * program hangs only if that takes too long.
     */
    private boolean awaitsAnEvaluation(TaskId late, long answerMillis) {
        boolean awaitsOthers =
                switch (machine.state()) {
                        // Asynchronous workers that stay go on to their next epochs meanwhile.
                    case STEPPING, STOPPING -> machine.synchronous();
                    case STARTING -> true;
                    default -> false;
                };
        return awaitsOthers ? aWorkerEvaluated(answerMillis) : connected.wasBetweenEpochs(late, answerMillis);
    }

    private boolean aWorkerEvaluated(long withinMillis) {
        return machine.current().workers().stream()
                .anyMatch(worker -> connected.wasBetweenEpochs(worker, withinMillis));
    }

    /** The longest time that a task may take to answer in a state of the job. */
    private long longestAnswerMillis(StateName state) {
        TrainingSettings.Timing timing = settings.timing();
        return switch (state) {
            case LEAVING, ENDED -> timing.silenceMillis();
            case WAITING, STEPPING, STOPPING, STARTING -> 2 * timing.stepMillis();
                // The worker may have to send the program's files again until the store takes them.
            case EVALUATING -> 2 * timing.stepMillis() + timing.storeMillis();
                // No step or evaluation, which an owner's program may do for hours, goes on in these.
            case INITIALISING, CONNECTING, FENCING, PLACING, SAVING -> Math.min(
                    2 * timing.stepMillis(), TrainingSettings.Timing.LONGEST_TRANSFER_MILLIS);
        };
    }

    @Override
    public void received(TaskId task, FromTask message) {
        ReturningTasks coming = returning;
        if (message instanceof Message.Reachable reachable) {
            listener.taskReachable(task, new ServerAddress(task, reachable.host(), reachable.port()));
        } else if (coming != null) {
            coming.received(task, message);
            goOnIfComplete();
        } else if (message instanceof Message.Returned) {
            lost(task, "it came too late to the new ApplicationMaster");
        } else if (message instanceof Message.WorkerReady ready) {
            workerReady(task, ready);
        } else if (message instanceof Message.ServerReady) {
            ready(task);
        } else if (message instanceof Message.Applied applied) {
            training.applied(applied);
        } else if (message instanceof Message.AtDecision asked) {
            training.atDecision(task, asked);
        } else if (message instanceof Message.Measured measured) {
            training.measured(measured);
        } else if (message instanceof Message.Interrupted interrupted) {
            if (machine.interrupted(task, interrupted.number())) {
                lost(task, "its steps fail again and again: " + interrupted.reason());
            }
        } else if (message instanceof Message.NotDone failed) {
            notDone(task, failed);
        } else if (message instanceof Message.Unable unable) {
            lost(task, unable.reason());
        } else if (message instanceof Message.Reported reported) {
            if (machine.reports(task)) {
                training.reported(reported.report());
            }
        } else {
            if (message instanceof Message.Evaluated evaluated) {
                training.evaluated(evaluated);
            }
            machine.received(task, message);
        }
    }

    private void workerReady(TaskId task, Message.WorkerReady ready) {
        training.loaded(ready).ifPresentOrElse(difference -> lost(task, difference), () -> ready(task));
    }

    private void ready(TaskId task) {
        listener.taskReady(task);
        machine.ready(task);
    }

    private void notDone(TaskId task, Message.NotDone failed) {
        String what = task + " could not do its part while the job was " + machine.state() + ": " + failed.reason();
        listener.warned(what);
        if (machine.notDone(task, failed.number(), failed.because())) {
            lost(failed.because(), "again and again, " + what);
        }
    }

    @Override
    public SortedSet<TaskId> loading() {
        SortedSet<TaskId> loading = connected.tasks();
        loading.removeAll(machine.ready());
        return Collections.unmodifiableSortedSet(loading);
    }

    @Override
    public CoordinatorStatus status() {
        Membership current = machine.current();
        SortedMap<TaskId, TaskStatus> tasks = new TreeMap<>();
        for (TaskId task : machine.ready()) {
            tasks.put(task, connected.status(task, machine.isMember(task)));
        }
        State state = state(machine.state());
        boolean stepping = state == State.STEPPING || state == State.SWITCHING;
        return new CoordinatorStatus(
                state,
                training.progress().status(),
                training.progress().program(),
                current.number(),
                stepping ? current.allocation() : Allocation.NONE,
                tasks);
    }

    private static State state(StateName name) {
        return switch (name) {
            case WAITING, INITIALISING -> State.WAITING;
            case STEPPING, CONNECTING -> State.STEPPING;
            case STOPPING, FENCING, PLACING, STARTING -> State.SWITCHING;
            case SAVING, EVALUATING, LEAVING -> State.ENDING;
            case ENDED -> State.ENDED;
        };
    }

    @Override
    public void close() {
        training.close();
    }
}
