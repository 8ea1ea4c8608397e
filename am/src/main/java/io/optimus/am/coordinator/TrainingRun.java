package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.checkpoint.CheckpointService;
import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.checkpoint.CheckpointTracker;
import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.checkpoint.StoreOutage;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.membership.Membership;
import io.optimus.am.membership.MembershipContext;
import io.optimus.am.membership.MembershipMachine;
import io.optimus.am.membership.ModelLayout;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.membership.StateName;
import io.optimus.am.progress.AccuracyTarget;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.TaskId;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One training from its first membership to its end: takes in what workers and servers tell, has checkpoints saved, and
 * ends training when there is a reason. Carries out what the membership machine asks for. Runs on the coordinator's
 * thread; other threads pass their events to the executor.
 */
final class TrainingRun implements MembershipContext, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingRun.class);
    private static final String MODEL = "model.bin";
    /** YARN gives an ApplicationMaster up that has not registered for ten minutes. */
    private static final Duration LONGEST_START = Duration.ofMinutes(5);

    private final CoordinatorListener listener;
    private final CheckpointEvents storeEvents;
    private final CheckpointService checkpoints;
    private final StoreOutage start;
    private final ConnectedTasks connected;
    private final Executor events;
    private final MembershipMachine machine;
    private final TrainingProgress progress;
    private final CheckpointTracker tracker;
    private final Completion completion;
    private final AccuracyTarget accuracy;
    private final EndDecisions decisions;
    private final Failover failover;
    /** The first membership since the job went back to a checkpoint. What older ones report is taken back. */
    private MembershipNumber restored = new MembershipNumber(0, 0);

    TrainingRun(
            TrainingSettings settings,
            int attempt,
            CheckpointStore store,
            CoordinatorListener listener,
            ConnectedTasks connected,
            Executor events) {
        this.listener = listener;
        this.events = events;
        this.connected = connected;
        Duration patience = Duration.ofMillis(settings.timing().storeMillis());
        this.storeEvents = new CheckpointEvents(this, listener, events, patience);
        this.checkpoints = new CheckpointService(store, patience, storeEvents);
        this.start = new StoreOutage(patience.compareTo(LONGEST_START) < 0 ? patience : LONGEST_START);
        this.machine = new MembershipMachine(
                settings.steps().mode(), settings.steps().communication(), settings.minimum(), attempt, this);
        this.progress = new TrainingProgress(settings, listener);
        this.tracker =
                new CheckpointTracker(checkpoints, settings.steps().mode(), settings.checkpoint(), connected.nanos());
        this.completion = new Completion(listener);
        this.accuracy = new AccuracyTarget(settings.targetAccuracy());
        this.decisions = new EndDecisions(this, settings.steps(), events);
        this.failover = new Failover(this, settings.steps().communication(), listener, events);
    }

    /** Finds the checkpoint to resume from. */
    void resume() throws IOException {
        tracker.resume(start, listener::warned);
        progress.resumeFrom(tracker.newest());
    }

    /** Serves checkpoint transfers, on any thread. */
    CheckpointService checkpoints() {
        return checkpoints;
    }

    MembershipMachine machine() {
        return machine;
    }

    Failover failover() {
        return failover;
    }

    void stop(String reason) {
        completion.stopEarly(reason);
        machine.endEarly();
    }

    /**
     * A worker has loaded its model and data. The first worker's are the job's. Returns how this worker's differ from them;
     * empty if they are the same.
     */
    Optional<String> loaded(Message.WorkerReady ready) {
        Optional<Message.WorkerReady> first = progress.first();
        if (first.isPresent()) {
            return WorkerAgreement.difference(ready, first.get());
        }
        progress.begin(ready).ifPresent(this::fail);
        int floats = progress.model().floats();
        checkpoints.modelHas(floats);
        listener.modelLoaded(floats, progress.model().updates().optimizer());
        tracker.newest()
                .filter(found -> found.floats() != floats)
                .ifPresent(found -> fail("Checkpoint " + found.name() + " has " + found.floats()
                        + " parameters, the job's model has " + floats + "; train it in a job directory of its own"));
        return Optional.empty();
    }

    /** The first worker of a group has measured steps. */
    void measured(Message.Measured measured) {
        if (measured.number().equals(machine.current().number())) {
            progress.batches().ifPresent(control -> control.measured(measured));
        }
    }

    /** The newest checkpoint cannot be read, and the job waits for it: it goes back to an older one. */
    void fallBackTo(SavedCheckpoint older) {
        tracker.fallBackTo(older);
        machine.tryAgain();
    }

    /** Looks at the clock. */
    void tick() {
        storeEvents.tick();
        if (progress.batches().filter(control -> control.wantsAnother(nanos())).isPresent()) {
            machine.renew();
        }
        failover.tick();
    }

    /** Steps are applied. */
    void applied(Message.Applied applied) {
        StepLosses losses = progress.losses();
        if (losses == null || completion.isOver() || applied.number().isOlderThan(restored)) {
            return;
        }
        losses.add(applied.first(), applied.losses(), nanos());
        if (machine.state() == StateName.STEPPING) {
            progress.stepped(applied.nanos());
        }
        lossesChanged();
        decisions.lossesKnown(losses.step());
    }

    /** A task waits until it is decided whether training goes on. */
    void atDecision(TaskId task, Message.AtDecision asked) {
        decisions.asked(task, asked);
    }

    /** Whether the losses, epochs or accuracy so far end training, which is decided now. */
    boolean endsByItsRule() {
        lossesChanged();
        return completion.isStopped();
    }

    /** The program of the first worker has reported figures. */
    void reported(ProgramReport report) {
        if (!report.bends().isEmpty()) {
            progress.announced(report.bends());
        }
        if (report.values().isEmpty()) {
            return;
        }
        listener.reported(report);
        Optional<StopRule.Stop> stop = accuracy.stop(report.values(), "the program", "epoch " + (report.epoch() + 1));
        if (stop.isPresent() && !completion.isSettled() && completion.stop(stop)) {
            machine.endByRule();
        }
    }

    /** An earlier coordinator may have been told these figures, too. */
    void reportedBefore(ProgramReport report) {
        boolean wasStopped = completion.isStopped();
        reported(report);
        if (completion.isStopped() && !wasStopped) {
            decisions.mayHaveEndedAfter(report.step());
        }
    }

    /** Where training ends and why, as far as that was decided. */
    Optional<KeptState.End> decidedEnd() {
        long step = progress.decidedEnd();
        return completion.stopReason().filter(stop -> step < Long.MAX_VALUE).map(stop -> new KeptState.End(step, stop));
    }

    /** An earlier coordinator had decided this. */
    void endAs(KeptState.End decided) {
        progress.endsBefore(decided.step());
        if (completion.stop(Optional.of(decided.stop()))) {
            machine.endByRule();
        }
    }

    /** All shards of a checkpoint have arrived. */
    void checkpointArrived(CheckpointKey key) {
        tracker.complete(key);
        lossesChanged();
    }

    /** A checkpoint is in the store. */
    void checkpointSaved(CheckpointKey key, SavedCheckpoint checkpoint) {
        if (tracker.committed(key, checkpoint, nanos())) {
            listener.checkpointed((long) checkpoint.losses().progress());
            machine.saved(checkpoint.step());
        }
    }

    /** Commits complete checkpoints, ends training if there is a reason, and orders the next save. */
    void lossesChanged() {
        StepLosses known = progress.losses();
        if (known == null) {
            return;
        }
        known.divergedAt()
                .ifPresent(step -> fail("Training diverged: the loss of step " + step
                        + " is not a finite number; lower the learning rate"));
        if (completion.isSettled()) {
            return;
        }
        tracker.commitComplete(known);
        if (completion.stop(known.stopReason())) {
            machine.endByRule();
        }
        if (machine.state() == StateName.STEPPING) {
            tracker.due(known.step(), progress.updatesPerSecond(), nanos()).ifPresent(step -> orderSave(step, known));
        }
    }

    private void orderSave(long before, StepLosses known) {
        MembershipNumber number = machine.current().number();
        known.keepBefore(before);
        ToTask order =
                before > known.step() ? new Message.SaveBefore(number, before) : new Message.SaveNow(number, before);
        machine.savers().forEach(saver -> send(saver, order));
    }

    /** Ends training, which cannot go on. */
    void fail(String reason) {
        if (completion.fail(reason)) {
            machine.fail(reason);
        }
    }

    void evaluated(Message.Evaluated evaluated) {
        completion.evaluated(evaluated.evaluation());
        evaluated.warnings().forEach(listener::warned);
    }

    TrainingProgress progress() {
        return progress;
    }

    @Override
    public void close() {
        checkpoints.close();
    }

    // What the membership machine asks for ----------------------------------------------------------------------------

    @Override
    public long nanos() {
        return connected.nanos();
    }

    @Override
    public void send(TaskId task, ToTask message) {
        connected.send(task, message);
    }

    @Override
    public ServerAddress address(TaskId task) {
        return connected.address(task);
    }

    @Override
    public void beginning(Membership membership, long step) {
        progress.batches().ifPresent(control -> control.beginning(membership, nodesOf(membership), step));
        failover.keep(membership, membership.members());
    }

    private int nodesOf(Membership membership) {
        return (int) membership.workers().stream()
                .map(worker -> connected.address(worker).host())
                .distinct()
                .count();
    }

    @Override
    public Message.Samples samplesFrom(long step) {
        return progress.samplesFrom(step);
    }

    @Override
    public ModelLayout model() {
        return progress.model();
    }

    @Override
    public long endStep() {
        return progress.endStep();
    }

    @Override
    public long knownStep() {
        StepLosses losses = progress.losses();
        return losses == null ? 0 : losses.step();
    }

    @Override
    public Optional<SavedCheckpoint> saved() {
        return tracker.newest();
    }

    @Override
    public void settledAt(long step) {
        StepLosses losses = progress.losses();
        if (losses != null) {
            losses.settledAt(step, nanos());
            tracker.settledAt(step);
            // Later, since the machine is in the middle of a transition.
            events.execute(this::lossesChanged);
        }
    }

    @Override
    public void restoredTo(SavedCheckpoint checkpoint, MembershipNumber next) {
        restored = next;
        StepLosses losses = progress.losses();
        if (losses == null) {
            return;
        }
        long before = losses.step();
        double reached = losses.progress();
        losses.restore(checkpoint.losses());
        progress.goesBackTo(checkpoint.step());
        tracker.restoredTo(checkpoint);
        if (checkpoint.step() < progress.endStep()) {
            completion.undoStop();
        }
        if (before > checkpoint.step()) {
            listener.steppedBack((long) reached, (long) losses.progress());
        }
    }

    @Override
    public void stopUndone() {
        completion.undoStop();
    }

    @Override
    public void stepping(boolean begun) {
        if (begun) {
            storeEvents.storeWorks();
            progress.beginStepping(machine.current().allocation(), nanos());
        } else {
            progress.endStepping(nanos());
            decisions.steppingEnds();
        }
    }

    @Override
    public void resized(Resize resize) {
        if (resize.cause() != Cause.RENEWED) {
            listener.resized(
                    progress.batches().isEmpty()
                            ? resize
                            : resize.at(progress.status().step()));
        }
    }

    @Override
    public void keepModel() {
        tracker.newest().ifPresent(last -> {
            completion.writingModel();
            checkpoints.writeModel(
                    last.name(),
                    MODEL,
                    progress.model().blocks(),
                    failed -> events.execute(() -> modelWritten(failed)));
        });
    }

    private void modelWritten(Optional<IOException> failed) {
        if (failed.isPresent()
                && storeEvents.again(
                        CheckpointEvents.Purpose.MODEL,
                        "The model is not written: " + failed.get().getMessage(),
                        this::keepModel)) {
            return;
        }
        completion.modelWritten(failed.isPresent() ? Optional.empty() : Optional.of(MODEL));
        failed.ifPresent(cause -> fail("The model could not be written: " + cause.getMessage()));
        reportEnd();
    }

    @Override
    public void warned(String what) {
        listener.warned(what);
    }

    @Override
    public void ended() {
        reportEnd();
    }

    private void reportEnd() {
        completion.report(machine.state() == StateName.ENDED, progress.losses());
    }

    @Override
    public void entered(StateName from, StateName to) {
        LOG.debug("membership state={} before={}", to, from);
    }
}
