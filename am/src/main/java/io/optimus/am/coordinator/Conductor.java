package io.optimus.am.coordinator;

import io.optimus.am.coordinator.CoordinatorListener.Resize;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopDecision;
import io.optimus.model.convergence.StopReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what runs a job: the membership machine, the ledger of losses, the speed meter, checkpoints, and the
 * connected tasks. One thread, except where a method says otherwise.
 */
final class Conductor implements World, AutoCloseable {
    static final String MODEL = "model.bin";

    private final TrainingSettings settings;
    private final CoordinatorListener listener;
    private final CheckpointDesk checkpoints;
    private final Roster roster;
    private final Executor events;
    private final MembershipMachine machine;
    private final SpeedMeter speed;

    private @Nullable LossLedger ledger;
    private List<ParameterBlock> blocks = List.of();
    private Ranges statistics = Ranges.NONE;
    private int floats;

    private @Nullable SavedState saved;
    private final TreeMap<Long, CheckpointDesk.Key> complete = new TreeMap<>();
    private long asynchronousSaveAt;

    private Optional<StopReason> stopReason = Optional.empty();
    private String earlyReason = "";
    private String failure = "";
    private Optional<Evaluation> evaluation = Optional.empty();
    private Optional<String> model = Optional.empty();
    private boolean writingModel;
    private boolean ended;
    private boolean over;

    /**
     * Of a job.
     *
     * @param events runs what other threads bring, on the conductor's thread
     */
    Conductor(
            TrainingSettings settings,
            int attempt,
            CheckpointStore store,
            CoordinatorListener listener,
            Executor events) {
        this.settings = settings;
        this.listener = listener;
        this.events = events;
        this.checkpoints = new CheckpointDesk(store, new CheckpointEvents());
        this.roster = new Roster(settings);
        this.machine = new MembershipMachine(settings.mode(), settings.minimum(), attempt, this);
        this.speed = new SpeedMeter(settings.timing().speedWindowMillis());
        this.asynchronousSaveAt = settings.checkpointEverySteps();
    }

    /** Looks for a checkpoint; before anything else. */
    void resume() throws IOException {
        saved = checkpoints.newest(listener::warned).orElse(null);
    }

    /** To be called from any thread. */
    CheckpointDesk checkpoints() {
        return checkpoints;
    }

    // What comes from outside ---------------------------------------------------------------------------------------

    void target(Set<TaskId> members) {
        machine.target(members);
    }

    void release(TaskId task) {
        machine.release(task);
    }

    void stop(String reason) {
        earlyReason = reason;
        machine.end(true);
    }

    void connected(TaskLink link) {
        if (!roster.connected(link)) {
            link.send(new Message.Leave("Another process is " + link.task() + " already, or was"));
            link.close();
        }
    }

    void disconnected(TaskLink link, String reason) {
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
                checkpoints.forgetIncomplete();
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
    }

    void heard(TaskLink link, FromTask message) {
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
        } else if (message instanceof Message.Connected connected) {
            machine.connected(task, connected.number());
        } else if (message instanceof Message.AtBoundary boundary) {
            machine.atBoundary(task, boundary.number(), boundary.step());
        } else if (message instanceof Message.Fenced fenced) {
            machine.fenced(task, fenced.number(), fenced.step());
        } else if (message instanceof Message.Placed placed) {
            machine.placed(task, placed.number());
        } else if (message instanceof Message.Started started) {
            machine.started(task, started.number());
        } else if (message instanceof Message.Applied applied) {
            applied(applied);
        } else if (message instanceof Message.Interrupted interrupted) {
            if (machine.interrupted(task, interrupted.number())) {
                lost(task, "its steps fail again and again: " + interrupted.reason());
            }
        } else if (message instanceof Message.Evaluated evaluated) {
            evaluation = Optional.of(evaluated.evaluation());
            machine.evaluated(task);
        } else if (message instanceof Message.Unable unable) {
            lost(task, unable.reason());
        }
    }

    private void workerReady(TaskId task, Message.WorkerReady ready) {
        if (ledger == null) {
            describe(ready);
        } else if (!blocks.equals(ready.blocks())) {
            lost(
                    task,
                    "its model differs from the other workers': "
                            + ready.blocks().size() + " tensors, theirs " + blocks.size());
            return;
        }
        listener.taskReady(task);
        machine.ready(task);
    }

    /** The first worker knows the model and the data. */
    private void describe(Message.WorkerReady ready) {
        blocks = ready.blocks();
        List<Range> still = new ArrayList<>();
        for (ParameterBlock block : blocks) {
            if (!block.trainable()) {
                still.add(new Range(floats, block.floats()));
            }
            floats += block.floats();
        }
        statistics = Ranges.of(still);
        checkpoints.modelHas(floats);
        SavedState found = saved;
        if (found != null && found.floats() != floats) {
            fail("Checkpoint " + found.name() + " has " + found.floats() + " parameters, the job's model has " + floats
                    + "; train it in a job directory of its own");
        }
        ledger = new LossLedger(
                settings,
                ready.trainingSamples(),
                settings.mode() == TrainingMode.SYNCHRONOUS,
                losses -> StopDecision.after(settings.stop(), losses),
                listener::loss);
    }

    private void applied(Message.Applied applied) {
        if (ledger == null || over) {
            return;
        }
        ledger.add(applied.first(), applied.losses(), nanos());
        if (machine.phase() == Phase.STEPPING) {
            speed.applied(applied.first() + applied.losses().length, applied.nanos())
                    .ifPresent(listener::speed);
        }
        ledgerMoved();
    }

    private void ledgerMoved() {
        LossLedger losses = ledger;
        if (losses == null) {
            return;
        }
        losses.divergedAt()
                .ifPresent(step -> fail("Training diverged: the loss of step " + step
                        + " is not a finite number; lower the learning rate"));
        if (over || !failure.isEmpty()) {
            return;
        }
        commitWhatIsKnown(losses);
        if (losses.stopReason().isPresent() && stopReason.isEmpty()) {
            stopReason = losses.stopReason();
            machine.end(false);
        }
        if (settings.mode() == TrainingMode.ASYNCHRONOUS
                && losses.step() >= asynchronousSaveAt
                && machine.phase() == Phase.STEPPING) {
            asynchronousSaveAt = losses.step() + settings.checkpointEverySteps();
            Membership current = machine.current();
            current.servers()
                    .keySet()
                    .forEach(server -> send(server, new Message.SaveNow(current.number(), losses.step())));
        }
    }

    /** A checkpoint is committed when its parts and the losses before it have both come. */
    private void commitWhatIsKnown(LossLedger losses) {
        while (!complete.isEmpty()) {
            CheckpointDesk.Key key = complete.firstEntry().getValue();
            Optional<LossLedger.State> before = settings.mode() == TrainingMode.SYNCHRONOUS
                    ? losses.before(key.step())
                    : Optional.of(losses.stateNow());
            if (before.isEmpty()) {
                return;
            }
            complete.pollFirstEntry();
            checkpoints.commit(key, before.get());
        }
    }

    void fail(String reason) {
        if (failure.isEmpty() && !over) {
            failure = reason;
            machine.fail(reason);
        }
    }

    // What the machine asks for -------------------------------------------------------------------------------------

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void send(TaskId task, ToTask message) {
        roster.send(task, message);
    }

    @Override
    public ServerAddress address(TaskId server) {
        return roster.address(server);
    }

    @Override
    public Ranges statistics() {
        return statistics;
    }

    @Override
    public SortedMap<TaskId, Ranges> assign(SortedMap<TaskId, Ranges> held, SortedSet<TaskId> servers) {
        return new Shards(blocks).assign(held, servers);
    }

    @Override
    public long knownStep() {
        return ledger == null ? 0 : ledger.step();
    }

    @Override
    public Optional<SavedState> saved() {
        return Optional.ofNullable(saved);
    }

    @Override
    public void settledAt(long step) {
        if (ledger != null) {
            ledger.settledAt(step, nanos());
            // Later: the machine is in the middle of something.
            events.execute(this::ledgerMoved);
        }
    }

    @Override
    public void restoredTo(SavedState state) {
        LossLedger losses = ledger;
        if (losses == null) {
            return;
        }
        long before = losses.step();
        losses.restore(state.ledger());
        complete.clear();
        stopReason = Optional.empty();
        asynchronousSaveAt = state.step() + settings.checkpointEverySteps();
        if (before > state.step()) {
            listener.steppedBack(before, state.step());
        }
    }

    @Override
    public void stepping(boolean yes) {
        if (yes) {
            speed.begin(machine.current().allocation());
        } else {
            speed.end().ifPresent(listener::speed);
        }
    }

    @Override
    public void resized(Resize resize) {
        listener.resized(resize);
    }

    @Override
    public void keepModel() {
        SavedState last = saved;
        if (last != null) {
            writingModel = true;
            checkpoints.writeModel(last.name(), MODEL, blocks, failed -> events.execute(() -> modelWritten(failed)));
        }
    }

    private void modelWritten(Optional<IOException> failed) {
        writingModel = false;
        if (failed.isPresent()) {
            fail("The model could not be written: " + failed.get().getMessage());
        } else {
            model = Optional.of(MODEL);
        }
        tellEnd();
    }

    @Override
    public void ended() {
        ended = true;
        tellEnd();
    }

    private void tellEnd() {
        if (!ended || writingModel || over) {
            return;
        }
        over = true;
        if (failure.isEmpty()) {
            listener.finished(result());
        } else {
            listener.failed(failure);
        }
    }

    private TrainingResult result() {
        return new TrainingResult(
                stopReason.map(StopReason::converged).orElse(false),
                stopReason.map(StopReason::sentence).orElse(earlyReason),
                knownStep(),
                ledger == null ? 0 : ledger.epochs(),
                ledger == null ? OptionalDouble.empty() : ledger.finalLoss(),
                evaluation,
                model);
    }

    /** Brings what the desk's threads say to the conductor's thread. */
    private final class CheckpointEvents implements CheckpointDesk.Events {
        @Override
        public void complete(CheckpointDesk.Key key) {
            events.execute(() -> {
                complete.put(key.step(), key);
                ledgerMoved();
            });
        }

        @Override
        public void saved(SavedState state) {
            events.execute(() -> {
                saved = state;
                listener.checkpointed(state.step());
                machine.saved(state.step());
            });
        }

        @Override
        public void failed(String what, IOException cause) {
            events.execute(() -> checkpointFailed(what + ": " + cause.getMessage()));
        }
    }

    private void checkpointFailed(String what) {
        switch (machine.phase()) {
            case SEEDING, SAVING, PLACING -> fail(what + "; see whether the job's directory can be written");
            case WAITING, STEPPING, CONNECTING, STOPPING, FENCING, STARTING, EVALUATING, LEAVING, ENDED -> listener
                    .warned(what);
        }
    }

    /** Of this moment. */
    CoordinatorStatus status() {
        Membership current = machine.current();
        SortedMap<TaskId, TaskStatus> tasks = new TreeMap<>();
        for (TaskId task : machine.ready()) {
            tasks.put(task, new TaskStatus(machine.isMember(task), roster.stepsPerSecond(task)));
        }
        CoordinatorStatus.State state = machine.phase().state();
        LossLedger losses = ledger;
        boolean stepping = state == CoordinatorStatus.State.STEPPING || state == CoordinatorStatus.State.SWITCHING;
        return new CoordinatorStatus(
                state,
                losses == null ? 0 : losses.step(),
                losses == null ? 0 : losses.epochs(),
                losses == null ? 0 : losses.stepsPerEpoch(),
                losses == null ? OptionalDouble.empty() : losses.recentLoss(),
                current.number(),
                stepping ? current.allocation() : Allocation.NONE,
                speed.stepsPerSecond(),
                tasks);
    }

    @Override
    public void close() {
        checkpoints.close();
    }
}
