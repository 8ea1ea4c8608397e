package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.coordinator.CoordinatorStatus.Progress;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.membership.ModelLayout;
import io.optimus.am.progress.EndSteps;
import io.optimus.am.progress.SpeedMeter;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.progress.StepSamples;
import io.optimus.am.wire.Message;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.AnnouncedBends;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** How far one training is: its model, the losses and samples of its steps, its speed and its batch. */
final class TrainingProgress {
    private final TrainingSettings settings;
    private final CoordinatorListener listener;
    private final SpeedMeter speed;
    private Optional<SavedCheckpoint> resumed = Optional.empty();
    private @Nullable Begun begun;
    private AnnouncedBends bends = AnnouncedBends.NONE;
    private long decidedEnd = Long.MAX_VALUE;

    TrainingProgress(TrainingSettings settings, CoordinatorListener listener) {
        this.settings = settings;
        this.listener = listener;
        this.speed = new SpeedMeter(settings.timing().speedWindowMillis());
    }

    /**
     * What is known once the first worker is ready.
     *
     * @param ready what the first worker has loaded
     * @param samples of steps; a job with parameter servers has a fixed batch
     * @param ends the steps at which training may end
     * @param batches chooses the batch of a job without parameter servers
     */
    private record Begun(
            Message.WorkerReady ready,
            ModelLayout model,
            StepLosses losses,
            StepSamples samples,
            EndSteps ends,
            Optional<BatchControl> batches) {
        /** The scheduler predicts the end of the last epoch from it, which comes sooner where epochs are worth fewer steps. */
        double stepsPerEpoch() {
            OptionalInt epochs = ends.lastEpoch();
            return batches.filter(BatchControl::adapts).isPresent() && epochs.isPresent()
                    ? losses.stepsPerEpoch(epochs.getAsInt())
                    : losses.stepsPerEpoch();
        }
    }

    /** Training will go on from {@code checkpoint}; from the beginning if there is none. */
    void resumeFrom(Optional<SavedCheckpoint> checkpoint) {
        resumed = checkpoint;
    }

    /** What the first worker has loaded; empty before it is ready. */
    Optional<Message.WorkerReady> first() {
        return Optional.ofNullable(begun).map(Begun::ready);
    }

    /** The first worker is ready. Returns why its batch cannot be trained with; empty if it can. */
    Optional<String> begin(Message.WorkerReady ready) {
        TrainingSettings.Steps steps = settings.steps().decidedBy(ready.program());
        boolean synchronous = steps.mode() == TrainingMode.SYNCHRONOUS;
        StopRule stop = settings.stopWith(ready.program());
        StepSamples samples = new StepSamples(steps.batch(), ready.trainingSamples());
        ModelLayout model = ModelLayout.of(
                ready.blocks(),
                steps.optimizer(),
                ready.program().map(ProgramSettings::groups).orElse(1));
        StepLosses losses = new StepLosses(
                samples,
                settings.checkpoint().everySteps(),
                settings.timing().reportMillis(),
                synchronous,
                stop::stop,
                listener::loss);
        resumed.map(SavedCheckpoint::losses).ifPresent(losses::restore);
        int fewest = settings.minimum().workers();
        Optional<String> problem = Optional.empty();
        Optional<BatchControl> batches = Optional.empty();
        if (steps.communication() == Communication.ALL_REDUCE) {
            problem = settings.batches().spec().problem(steps.batch(), fewest);
            batches = problem.isPresent()
                    ? Optional.empty()
                    : Optional.of(new BatchControl(
                            settings.batches(),
                            settings.batches().spec().limits(steps.batch(), fewest),
                            samples,
                            settings.timing().speedWindowMillis(),
                            listener));
            batches.ifPresent(control -> resumed.ifPresent(control::restore));
        }
        EndSteps ends = new EndSteps(stop, settings.targetAccuracy().isPresent(), steps.mode(), samples);
        begun = new Begun(ready, model, losses, samples, ends, batches);
        return problem;
    }

    /** The losses of steps; null before the first worker is ready. */
    @Nullable
    StepLosses losses() {
        return begun == null ? null : begun.losses();
    }

    ModelLayout model() {
        return begun == null ? ModelLayout.UNKNOWN : begun.model();
    }

    /** The next step. Before the first worker is ready, this is the step that training resumes with. */
    long step() {
        return begun == null
                ? resumed.map(SavedCheckpoint::step).orElse(0L)
                : begun.losses().step();
    }

    /** The step before which workers stop by themselves, as far as it is decided. */
    long endStep() {
        return begun == null
                ? Long.MAX_VALUE
                : Math.min(decidedEnd, begun.ends().endStep(begun.losses().decidedBefore()));
    }

    /** The step before which it was decided that training ends; {@link Long#MAX_VALUE}: none. */
    long decidedEnd() {
        return decidedEnd;
    }

    /** It was decided that synchronous training ends before {@code step}. */
    void endsBefore(long step) {
        decidedEnd = step;
    }

    /** Training goes on with {@code step} again. */
    void goesBackTo(long step) {
        if (step < decidedEnd) {
            decidedEnd = Long.MAX_VALUE;
        }
    }

    /** The next step before which it is decided whether training goes on; {@link Long#MAX_VALUE}: there is none. */
    long decisionStep() {
        return begun == null ? 0 : begun.ends().decisionStep(begun.losses().endedEpochs());
    }

    Progress status() {
        Begun known = begun;
        if (known == null) {
            return Progress.before(
                    resumed.map(found -> (long) found.losses().progress()).orElse(0L));
        }
        StepLosses losses = known.losses();
        long updates = losses.step();
        return new Progress(
                (long) losses.progress(),
                losses.epochs(),
                known.stepsPerEpoch(),
                losses.recentLoss(),
                speed.stepsPerSecond(),
                known.batches().filter(BatchControl::adapts).map(control -> control.status(updates)));
    }

    /** What an owner's program decides, once the first worker is ready, with the bends that it has announced since. */
    Optional<ProgramSettings> program() {
        Optional<ProgramSettings> program = first().flatMap(Message.WorkerReady::program);
        return bends.epochs().isEmpty() ? program : program.map(settled -> settled.withBends(bends));
    }

    /** The program expects its loss curve to bend at {@code epochs}. */
    void announced(List<Double> epochs) {
        try {
            bends = new AnnouncedBends(epochs);
        } catch (IllegalArgumentException e) {
            listener.warned("The program's announced bends are ignored: " + e.getMessage());
        }
    }

    /** Stepping goes on after these steps, so their time belongs to the speed. */
    void stepped(long nanos) {
        if (begun != null) {
            speed.applied(begun.losses().progress(), nanos).ifPresent(listener::speed);
        }
    }

    /** Stepping begins with {@code allocation}. */
    void beginStepping(Allocation allocation, long nanos) {
        speed.begin(allocation);
        batches().ifPresent(control -> control.stepping(true, nanos));
    }

    /** Stepping is interrupted. */
    void endStepping(long nanos) {
        speed.end().ifPresent(listener::speed);
        batches().ifPresent(control -> control.stepping(false, nanos));
    }

    /** The speed in steps of the current batch. */
    OptionalDouble updatesPerSecond() {
        OptionalDouble perSecond = speed.stepsPerSecond();
        return begun == null || perSecond.isEmpty()
                ? perSecond
                : OptionalDouble.of(perSecond.getAsDouble()
                        / begun.samples().worth(begun.losses().step()));
    }

    /** The samples of the steps from {@code step} on. */
    Message.Samples samplesFrom(long step) {
        if (begun == null) {
            throw new IllegalStateException("Only a group of workers that are ready asks for samples");
        }
        StepSamples samples = begun.samples();
        int accumulate = batches().map(BatchControl::accumulate).orElse(0);
        return new Message.Samples(samples.position(step), samples.batch(step), accumulate);
    }

    /** Chooses the batch of the steps; empty if the job has parameter servers, and before the first worker is ready. */
    Optional<BatchControl> batches() {
        return begun == null ? Optional.empty() : begun.batches();
    }
}
