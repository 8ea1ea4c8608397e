package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.checkpoint.CheckpointService;
import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.checkpoint.CheckpointTracker;
import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.coordinator.CoordinatorStatus.Progress;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.membership.Membership;
import io.optimus.am.membership.MembershipContext;
import io.optimus.am.membership.MembershipMachine;
import io.optimus.am.membership.ModelLayout;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.membership.StateName;
import io.optimus.am.progress.AccuracyTarget;
import io.optimus.am.progress.SpeedMeter;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.progress.StepSamples;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.TaskId;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.AnnouncedBends;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of one training: its model, losses, speed and checkpoints, and how it ends. Carries out what the
 * membership machine asks for. Runs on the coordinator's thread; other threads pass their events to the executor.
 */
final class TrainingRun implements MembershipContext, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingRun.class);
    private static final String MODEL = "model.bin";

    private final TrainingSettings settings;
    private final CoordinatorListener listener;
    private final CheckpointService checkpoints;
    private final ConnectedTasks connected;
    private final Executor events;
    private final MembershipMachine machine;
    private final SpeedMeter speed;
    private final CheckpointTracker tracker;
    private final Completion completion;
    private final AccuracyTarget accuracy;
    private Message.@Nullable WorkerReady first;
    private @Nullable StepLosses losses;
    /** The samples of steps; a job with parameter servers has a fixed batch. */
    private @Nullable StepSamples samples;

    private @Nullable BatchControl batches;
    /** The epochs after which synchronous training ends. */
    private OptionalInt epochs = OptionalInt.empty();

    private AnnouncedBends bends = AnnouncedBends.NONE;
    private ModelLayout model = ModelLayout.UNKNOWN;

    TrainingRun(
            TrainingSettings settings,
            int attempt,
            CheckpointStore store,
            CoordinatorListener listener,
            ConnectedTasks connected,
            Executor events) {
        this.settings = settings;
        this.listener = listener;
        this.events = events;
        this.connected = connected;
        this.checkpoints = new CheckpointService(store, new CheckpointEvents(this, listener, events));
        this.machine = new MembershipMachine(
                settings.steps().mode(), settings.steps().communication(), settings.minimum(), attempt, this);
        this.speed = new SpeedMeter(settings.timing().speedWindowMillis());
        this.tracker =
                new CheckpointTracker(checkpoints, settings.steps().mode(), settings.checkpoint(), System.nanoTime());
        this.completion = new Completion(listener);
        this.accuracy = new AccuracyTarget(settings.targetAccuracy());
    }

    /** Finds the checkpoint to resume from. */
    void resume() throws IOException {
        tracker.resume(listener::warned);
    }

    /** Serves checkpoint transfers, on any thread. */
    CheckpointService checkpoints() {
        return checkpoints;
    }

    MembershipMachine machine() {
        return machine;
    }

    void stop(String reason) {
        completion.stopEarly(reason);
        machine.end(true);
    }

    /**
     * A worker has loaded its model and data. The first worker's are the job's. Returns how this worker's differ from them;
     * empty if they are the same.
     */
    Optional<String> loaded(Message.WorkerReady ready) {
        Message.WorkerReady others = first;
        if (others != null) {
            return WorkerAgreement.difference(ready, others);
        }
        first = ready;
        TrainingSettings.Steps steps = settings.steps().decidedBy(ready.program());
        StopRule stop = settings.stopWith(ready.program());
        StepSamples ofSteps = new StepSamples(steps.batch(), ready.trainingSamples());
        samples = ofSteps;
        epochs = steps.mode() == TrainingMode.SYNCHRONOUS ? stop.maxEpochs() : OptionalInt.empty();
        model = ModelLayout.of(
                ready.blocks(),
                steps.optimizer(),
                ready.program().map(ProgramSettings::groups).orElse(1));
        checkpoints.modelHas(model.floats());
        listener.modelLoaded(model.floats());
        tracker.newest()
                .filter(found -> found.floats() != model.floats())
                .ifPresent(found -> fail("Checkpoint " + found.name() + " has " + found.floats()
                        + " parameters, the job's model has " + model.floats()
                        + "; train it in a job directory of its own"));
        losses = new StepLosses(
                ofSteps,
                settings.checkpoint().everySteps(),
                settings.timing().reportMillis(),
                settings.steps().mode() == TrainingMode.SYNCHRONOUS,
                stop::stop,
                listener::loss);
        tracker.newest().map(SavedCheckpoint::losses).ifPresent(losses::restore);
        if (steps.communication() == Communication.ALL_REDUCE) {
            controlBatch(steps.batch(), ofSteps);
        }
        return Optional.empty();
    }

    private void controlBatch(int initial, StepSamples ofSteps) {
        int fewest = settings.minimum().workers();
        Optional<String> problem = settings.batches().spec().problem(initial, fewest);
        if (problem.isPresent()) {
            fail(problem.get());
            return;
        }
        BatchControl control = new BatchControl(
                settings.batches(),
                settings.batches().spec().limits(initial, fewest),
                ofSteps,
                settings.timing().speedWindowMillis(),
                listener);
        tracker.newest().ifPresent(control::restore);
        batches = control;
    }

    /** The first worker of a group has measured steps. */
    void measured(Message.Measured measured) {
        if (batches != null && measured.number().equals(machine.current().number())) {
            batches.measured(measured);
        }
    }

    /** Looks at the clock. */
    void tick() {
        if (batches != null && batches.wantsAnother(nanos())) {
            machine.renew();
        }
    }

    /** Steps are applied. */
    void applied(Message.Applied applied) {
        if (losses == null || completion.isOver()) {
            return;
        }
        losses.add(applied.first(), applied.losses(), nanos());
        if (machine.state() == StateName.STEPPING) {
            speed.applied(losses.progress(), applied.nanos()).ifPresent(listener::speed);
        }
        lossesChanged();
    }

    /** The program of the first worker has reported figures. */
    void reported(ProgramReport report) {
        if (!report.bends().isEmpty()) {
            announced(report.bends());
        }
        if (report.values().isEmpty()) {
            return;
        }
        listener.reported(report);
        Optional<StopRule.Stop> stop = accuracy.stop(report.values(), "the program", "epoch " + (report.epoch() + 1));
        if (stop.isPresent() && !completion.isSettled() && completion.stop(stop)) {
            machine.end(false);
        }
    }

    private void announced(List<Double> epochs) {
        try {
            bends = new AnnouncedBends(epochs);
        } catch (IllegalArgumentException e) {
            listener.warned("The program's announced bends are ignored: " + e.getMessage());
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
    private void lossesChanged() {
        StepLosses known = losses;
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
            machine.end(false);
        }
        if (machine.state() == StateName.STEPPING) {
            tracker.due(known.step(), updatesPerSecond(known), nanos()).ifPresent(step -> orderSave(step, known));
        }
    }

    /** The speed in steps of the current batch. */
    private OptionalDouble updatesPerSecond(StepLosses known) {
        OptionalDouble perSecond = speed.stepsPerSecond();
        return samples == null || perSecond.isEmpty()
                ? perSecond
                : OptionalDouble.of(perSecond.getAsDouble() / samples.worth(known.step()));
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

    /** The next step. Before the first worker is ready, this is the step that training resumes with. */
    long step() {
        return losses == null ? tracker.newest().map(SavedCheckpoint::step).orElse(0L) : losses.step();
    }

    /** What an owner's program decides, once the first worker is ready, with the bends that it has announced since. */
    Optional<ProgramSettings> program() {
        Optional<ProgramSettings> program = first == null ? Optional.empty() : first.program();
        return bends.epochs().isEmpty() ? program : program.map(settled -> settled.withBends(bends));
    }

    Progress progress() {
        if (losses == null) {
            return Progress.before(tracker.newest()
                    .map(found -> (long) found.losses().progress())
                    .orElse(0L));
        }
        long updates = losses.step();
        return new Progress(
                (long) losses.progress(),
                losses.epochs(),
                stepsPerEpoch(losses),
                losses.recentLoss(),
                speed.stepsPerSecond(),
                Optional.ofNullable(batches).filter(BatchControl::adapts).map(control -> control.status(updates)));
    }

    /** The scheduler predicts the end of the last epoch from it, which comes sooner where epochs are worth fewer steps. */
    private double stepsPerEpoch(StepLosses known) {
        return batches != null && batches.adapts() && epochs.isPresent()
                ? known.stepsPerEpoch(epochs.getAsInt())
                : known.stepsPerEpoch();
    }

    @Override
    public void close() {
        checkpoints.close();
    }

    // What the membership machine asks for ----------------------------------------------------------------------------

    @Override
    public long nanos() {
        return System.nanoTime();
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
        if (batches != null) {
            int nodes = (int) membership.workers().stream()
                    .map(worker -> connected.address(worker).host())
                    .distinct()
                    .count();
            batches.beginning(membership, nodes, step);
        }
    }

    @Override
    public Message.Samples samplesFrom(long step) {
        if (samples == null) {
            throw new IllegalStateException("Only a group of workers that are ready asks for samples");
        }
        int accumulate = batches == null ? 0 : batches.accumulate();
        return new Message.Samples(samples.position(step), samples.batch(step), accumulate);
    }

    @Override
    public ModelLayout model() {
        return model;
    }

    @Override
    public long endStep() {
        return samples == null || epochs.isEmpty() ? Long.MAX_VALUE : samples.stepsOf(epochs.getAsInt());
    }

    @Override
    public long knownStep() {
        return losses == null ? 0 : losses.step();
    }

    @Override
    public Optional<SavedCheckpoint> saved() {
        return tracker.newest();
    }

    @Override
    public void settledAt(long step) {
        if (losses != null) {
            losses.settledAt(step, nanos());
            tracker.settledAt(step);
            // Later, since the machine is in the middle of a transition.
            events.execute(this::lossesChanged);
        }
    }

    @Override
    public void restoredTo(SavedCheckpoint checkpoint) {
        if (losses == null) {
            return;
        }
        long before = losses.step();
        double progress = losses.progress();
        losses.restore(checkpoint.losses());
        tracker.restoredTo(checkpoint);
        completion.undoStop();
        if (before > checkpoint.step()) {
            listener.steppedBack((long) progress, (long) losses.progress());
        }
    }

    @Override
    public void stopUndone() {
        completion.undoStop();
    }

    @Override
    public void stepping(boolean begun) {
        if (begun) {
            speed.begin(machine.current().allocation());
        } else {
            speed.end().ifPresent(listener::speed);
        }
        if (batches != null) {
            batches.stepping(begun, nanos());
        }
    }

    @Override
    public void resized(Resize resize) {
        if (resize.cause() != Cause.RENEWED) {
            listener.resized(batches == null ? resize : resize.at(progress().step()));
        }
    }

    @Override
    public void keepModel() {
        tracker.newest().ifPresent(last -> {
            completion.writingModel();
            checkpoints.writeModel(
                    last.name(), MODEL, model.blocks(), failed -> events.execute(() -> modelWritten(failed)));
        });
    }

    private void modelWritten(Optional<IOException> failed) {
        completion.modelWritten(failed.isPresent() ? Optional.empty() : Optional.of(MODEL));
        failed.ifPresent(cause -> fail("The model could not be written: " + cause.getMessage()));
        reportEnd();
    }

    @Override
    public void ended() {
        reportEnd();
    }

    private void reportEnd() {
        completion.report(machine.state() == StateName.ENDED, losses);
    }

    @Override
    public void entered(StateName from, StateName to) {
        LOG.debug("membership state={} before={}", to, from);
    }
}
