package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.CheckpointService;
import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.checkpoint.CheckpointTracker;
import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.membership.Membership;
import io.optimus.am.membership.MembershipContext;
import io.optimus.am.membership.MembershipMachine;
import io.optimus.am.membership.ModelLayout;
import io.optimus.am.membership.Phase;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.ShardAssignment;
import io.optimus.am.progress.SpeedMeter;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopDecision;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What a job has learnt: its model, losses, speed, checkpoints, and how it ends. The world of its membership machine.
 * One thread; what others bring comes through the executor.
 */
final class TrainingRun implements MembershipContext, AutoCloseable {
    static final String MODEL = "model.bin";

    private final TrainingSettings settings;
    private final CoordinatorListener listener;
    private final CheckpointService checkpoints;
    private final ConnectedTasks roster;
    private final Executor events;
    private final MembershipMachine machine;
    private final SpeedMeter speed;
    private final CheckpointTracker book;
    private final Completion verdict;
    private @Nullable StepLosses ledger;
    private ModelLayout model = ModelLayout.UNKNOWN;

    /**
     * Of a job.
     *
     * @param events runs what other threads bring, on the coordinator's thread
     */
    TrainingRun(
            TrainingSettings settings,
            int attempt,
            CheckpointStore store,
            CoordinatorListener listener,
            ConnectedTasks roster,
            Executor events) {
        this.settings = settings;
        this.listener = listener;
        this.events = events;
        this.roster = roster;
        this.checkpoints = new CheckpointService(store, new CheckpointCallbacks(this, listener, events));
        this.machine = new MembershipMachine(settings.mode(), settings.minimum(), attempt, this);
        this.speed = new SpeedMeter(settings.timing().speedWindowMillis());
        this.book = new CheckpointTracker(checkpoints, settings, System.nanoTime());
        this.verdict = new Completion(listener);
    }

    /** Looks for a checkpoint; before anything else. */
    void resume() throws IOException {
        book.resume(listener::warned);
    }

    /** To be called from any thread. */
    CheckpointService checkpoints() {
        return checkpoints;
    }

    CheckpointTracker book() {
        return book;
    }

    MembershipMachine machine() {
        return machine;
    }

    void stop(String reason) {
        verdict.stopEarly(reason);
        machine.end(true);
    }

    /** A worker has loaded its model and data; whether they are the job's. The first one's are. */
    boolean describedBy(Message.WorkerReady ready) {
        if (ledger != null) {
            return model.blocks().equals(ready.blocks());
        }
        model = ModelLayout.of(ready.blocks());
        checkpoints.modelHas(model.floats());
        listener.modelLoaded(model.floats());
        book.newest()
                .filter(found -> found.floats() != model.floats())
                .ifPresent(found -> fail("Checkpoint " + found.name() + " has " + found.floats()
                        + " parameters, the job's model has " + model.floats()
                        + "; train it in a job directory of its own"));
        ledger = new StepLosses(
                settings,
                ready.trainingSamples(),
                settings.mode() == TrainingMode.SYNCHRONOUS,
                losses -> StopDecision.after(settings.stop(), losses),
                listener::loss);
        book.newest().map(SavedCheckpoint::ledger).ifPresent(ledger::restore);
        return true;
    }

    int tensors() {
        return model.blocks().size();
    }

    /** Servers have applied steps. */
    void applied(Message.Applied applied) {
        if (ledger == null || verdict.isOver()) {
            return;
        }
        ledger.add(applied.first(), applied.losses(), nanos());
        if (machine.phase() == Phase.STEPPING) {
            speed.applied(applied.first() + applied.losses().length, applied.nanos())
                    .ifPresent(listener::speed);
        }
        ledgerMoved();
    }

    /** There may be more to commit, or a reason to end. */
    void ledgerMoved() {
        StepLosses losses = ledger;
        if (losses == null) {
            return;
        }
        losses.divergedAt()
                .ifPresent(step -> fail("Training diverged: the loss of step " + step
                        + " is not a finite number; lower the learning rate"));
        if (verdict.isSettled()) {
            return;
        }
        book.commitWhatIsKnown(losses);
        if (verdict.stop(losses.stopReason())) {
            machine.end(false);
        }
        if (machine.phase() == Phase.STEPPING) {
            book.due(losses.step(), speed.stepsPerSecond(), nanos()).ifPresent(step -> save(step, losses));
        }
    }

    private void save(long before, StepLosses losses) {
        Membership current = machine.current();
        losses.keepBefore(before);
        ToTask order = before > losses.step()
                ? new Message.SaveBefore(current.number(), before)
                : new Message.SaveNow(current.number(), before);
        current.servers().keySet().forEach(server -> send(server, order));
    }

    /** Ends training, which cannot go on. */
    void fail(String reason) {
        if (verdict.fail(reason)) {
            machine.fail(reason);
        }
    }

    void evaluated(Message.Evaluated found) {
        verdict.evaluated(found.evaluation());
    }

    @Nullable
    StepLosses ledger() {
        return ledger;
    }

    /** The next step; before any task is there, the one that training will go on with. */
    long step() {
        return ledger == null ? book.newest().map(SavedCheckpoint::step).orElse(0L) : ledger.step();
    }

    OptionalDouble stepsPerSecond() {
        return speed.stepsPerSecond();
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
        return model.statistics();
    }

    @Override
    public SortedMap<TaskId, Ranges> assign(SortedMap<TaskId, Ranges> held, SortedSet<TaskId> servers) {
        return new ShardAssignment(model.blocks()).assign(held, servers);
    }

    @Override
    public long knownStep() {
        return ledger == null ? 0 : ledger.step();
    }

    @Override
    public Optional<SavedCheckpoint> saved() {
        return book.newest();
    }

    @Override
    public void settledAt(long step) {
        if (ledger != null) {
            ledger.settledAt(step, nanos());
            book.settledAt(step);
            // Later: the machine is in the middle of something.
            events.execute(this::ledgerMoved);
        }
    }

    @Override
    public void restoredTo(SavedCheckpoint state) {
        StepLosses losses = ledger;
        if (losses == null) {
            return;
        }
        long before = losses.step();
        losses.restore(state.ledger());
        book.restoredTo(state);
        verdict.reconsider();
        if (before > state.step()) {
            listener.steppedBack(before, state.step());
        }
    }

    @Override
    public void stopUndone() {
        verdict.reconsider();
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
        book.newest().ifPresent(last -> {
            verdict.writingModel();
            checkpoints.writeModel(
                    last.name(), MODEL, model.blocks(), failed -> events.execute(() -> modelWritten(failed)));
        });
    }

    private void modelWritten(Optional<IOException> failed) {
        verdict.modelWritten(failed.isPresent() ? Optional.empty() : Optional.of(MODEL));
        failed.ifPresent(cause -> fail("The model could not be written: " + cause.getMessage()));
        tellEnd();
    }

    @Override
    public void ended() {
        tellEnd();
    }

    private void tellEnd() {
        verdict.tell(machine.phase() == Phase.ENDED, ledger);
    }

    @Override
    public void close() {
        checkpoints.close();
    }
}
