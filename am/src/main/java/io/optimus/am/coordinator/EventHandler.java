package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.CheckpointService;
import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.membership.Membership;
import io.optimus.am.membership.MembershipMachine;
import io.optimus.am.membership.Phase;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Brings what tasks and the outside say to the membership machine and to {@link TrainingRun}, and notices tasks that hang.
 * One thread, except where a method says otherwise.
 */
final class EventHandler implements AutoCloseable {
    private final TrainingSettings settings;
    private final CoordinatorListener listener;
    private final ConnectedTasks roster;
    private final TrainingRun training;
    private final MembershipMachine machine;
    private final ProgressWatchdog standstill = new ProgressWatchdog();

    /**
     * Of a job.
     *
     * @param events runs what other threads bring, on the conductor's thread
     */
    EventHandler(
            TrainingSettings settings,
            int attempt,
            CheckpointStore store,
            CoordinatorListener listener,
            Executor events) {
        this.settings = settings;
        this.listener = listener;
        this.roster = new ConnectedTasks(settings);
        this.training = new TrainingRun(settings, attempt, store, listener, roster, events);
        this.machine = training.machine();
    }

    /** Looks for a checkpoint; before anything else. */
    void resume() throws IOException {
        training.resume();
    }

    /** To be called from any thread. */
    CheckpointService checkpoints() {
        return training.checkpoints();
    }

    void fail(String reason) {
        training.fail(reason);
    }

    void target(Set<TaskId> members) {
        machine.target(members);
    }

    void release(TaskId task) {
        machine.release(task);
    }

    void stop(String reason) {
        training.stop(reason);
    }

    void connected(TaskConnection link) {
        if (!roster.connected(link)) {
            link.send(new Message.Leave("Another process is " + link.task() + " already, or was"));
            link.closeAfterwards();
        }
    }

    void disconnected(TaskConnection link, String reason) {
        if (roster.isLinkOf(link)) {
            lost(link.task(), reason);
        }
    }

    void lost(TaskId task, String reason) {
        switch (roster.remove(task)) {
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

    void tick() {
        long silence = settings.timing().silenceMillis();
        long step = settings.timing().stepMillis();
        roster.beat();
        roster.late(silence, step).forEach(this::lost);
        for (TaskId late : machine.lateAfter(
                TimeUnit.MILLISECONDS.toNanos(machine.phase() == Phase.LEAVING ? silence : 2 * step))) {
            lost(late, "it did not answer while the job was " + machine.phase() + " for longer than its time-out");
        }
        long patience = TimeUnit.MILLISECONDS.toNanos(2 * step);
        if (standstill.noticed(machine.phase() == Phase.STEPPING, training.step(), System.nanoTime(), patience)) {
            listener.warned("No step was done for " + 2 * step + " ms: step " + training.step() + " is begun again");
            machine.standsStill();
        }
    }

    void heard(TaskConnection link, FromTask message) {
        TaskId task = link.task();
        if (!roster.isLinkOf(link)) {
            return;
        }
        roster.heard(task, message);
        if (message instanceof Message.WorkerReady ready) {
            workerReady(task, ready);
        } else if (message instanceof Message.ServerReady) {
            listener.taskReady(task);
            machine.ready(task);
        } else if (message instanceof Message.Applied applied) {
            training.applied(applied);
        } else if (message instanceof Message.Interrupted interrupted) {
            if (machine.interrupted(task, interrupted.number())) {
                lost(task, "its steps fail again and again: " + interrupted.reason());
            }
        } else if (message instanceof Message.Evaluated evaluated) {
            training.evaluated(evaluated);
            machine.evaluated(task);
        } else if (message instanceof Message.NotDone failed) {
            notDone(task, failed);
        } else if (message instanceof Message.Unable unable) {
            lost(task, unable.reason());
        } else {
            obeyed(task, message);
        }
    }

    private void notDone(TaskId task, Message.NotDone failed) {
        String what = task + " could not do its part while the job was " + machine.phase() + ": " + failed.reason();
        listener.warned(what);
        if (machine.notDone(task, failed.number(), failed.because())) {
            lost(failed.because(), "again and again, " + what);
        }
    }

    /** The task has done what the machine told it to. */
    private void obeyed(TaskId task, FromTask message) {
        if (message instanceof Message.Connected connected) {
            machine.connected(task, connected.number());
        } else if (message instanceof Message.AtBoundary boundary) {
            machine.atBoundary(task, boundary.number(), boundary.step());
        } else if (message instanceof Message.Fenced fenced) {
            machine.fenced(task, fenced.number(), fenced.step());
        } else if (message instanceof Message.Placed placed) {
            machine.placed(task, placed.number());
        } else if (message instanceof Message.Started started) {
            machine.started(task, started.number());
        }
    }

    private void workerReady(TaskId task, Message.WorkerReady ready) {
        if (!training.describedBy(ready)) {
            lost(
                    task,
                    "its model differs from the other workers': "
                            + ready.blocks().size() + " tensors, theirs " + training.tensors());
            return;
        }
        listener.taskReady(task);
        machine.ready(task);
    }

    /** Of this moment. */
    CoordinatorStatus status() {
        Membership current = machine.current();
        SortedMap<TaskId, TaskStatus> tasks = new TreeMap<>();
        for (TaskId task : machine.ready()) {
            tasks.put(task, new TaskStatus(machine.isMember(task), roster.stepsPerSecond(task)));
        }
        CoordinatorStatus.State state = machine.phase().state();
        StepLosses losses = training.ledger();
        boolean stepping = state == CoordinatorStatus.State.STEPPING || state == CoordinatorStatus.State.SWITCHING;
        return new CoordinatorStatus(
                state,
                training.step(),
                losses == null ? 0 : losses.epochs(),
                losses == null ? 0 : losses.stepsPerEpoch(),
                losses == null ? OptionalDouble.empty() : losses.recentLoss(),
                current.number(),
                stepping ? current.allocation() : Allocation.NONE,
                training.stepsPerSecond(),
                tasks);
    }

    @Override
    public void close() {
        training.close();
    }
}
