package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.job.Placement;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.protocol.OneLine;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.GradientNoiseProto;
import io.optimus.protocol.proto.TrainingProtos.HistoryProto;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import io.optimus.protocol.proto.TrainingProtos.StepTimeProto;
import io.optimus.yarn.configuration.OptimusConfiguration.JobLimits;
import io.optimus.yarn.jobs.JobView.State;
import io.optimus.yarn.validation.Registration;
import io.optimus.yarn.validation.RegistrationValidator;
import io.optimus.yarn.validation.ReportRanges;
import io.optimus.yarn.validation.ReportValidator;
import io.optimus.yarn.validation.ReportedResize;
import io.optimus.yarn.validation.TaskRate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The soft state of one job, in bounded memory. Its monitor is its only lock, which also guards the job's losses,
 * speeds, resizes and exploration. While it is held, only classes of the model and {@link GpuSpeeds} are called, which
 * never block.
 */
final class RegisteredJob {
    private static final int LONGEST_OUTPUT = 1000;
    /** Tasks whose rates are kept beyond those that YARN has seen until the last round. */
    private static final int UNSEEN_TASKS = 16;

    private final GpuSpeeds gpus;
    private final JobLosses losses;
    private final JobSpeeds speeds;
    private final JobBatch batch;
    private final JobResizes resizes;
    private final JobExploration exploration;
    private final Evidence evidence;
    private final JobMemory.Share memory;
    private final JobLimits limits;

    private ApplicationFacts facts;
    private Registration registration;
    /** What it keeps beside its tasks, reserved in {@link #memory}. */
    private long keptBytes;

    private ReportValidator validator;
    private List<TaskRate> tasks = List.of();
    private Placement members = Placement.NONE;
    private OptionalDouble epoch = OptionalDouble.empty();
    private long step;
    private long membership;
    private long carriedOut;
    private long lastSequence;
    private long refusedBefore;
    private long version;
    private OptionalLong lastBatch = OptionalLong.empty();
    private boolean finished;
    private OptionalDouble accuracy = OptionalDouble.empty();
    private Optional<String> output = Optional.empty();
    /** When it last reported that it trains, by the clock of the rounds; before that, when it registered. */
    private long trainedMillis;

    RegisteredJob(
            ApplicationFacts facts,
            JobLimits limits,
            GpuSpeeds gpus,
            Evidence evidence,
            JobMemory.Share memory,
            Registration registration) {
        this.gpus = gpus;
        this.evidence = evidence;
        this.memory = memory;
        this.limits = limits;
        this.losses = new JobLosses(registration.training().stepsPerEpoch(), limits.lossPoints());
        this.speeds = new JobSpeeds(limits.speedSizes(), registration.demand(), gpus);
        this.batch = new JobBatch(registration.demand(), gpus);
        this.resizes = new JobResizes(limits.resizes());
        this.exploration = new JobExploration(limits.speedSizes());
        this.facts = facts;
        this.registration = registration;
        this.validator = validatorOf(registration);
        this.trainedMillis = evidence.heardMillis();
    }

    /**
     * Takes in the first registration.
     *
     * @throws TrainingRefusedException if all jobs together take too much memory
     */
    synchronized void register(RegisterJobRequestProto request) throws TrainingRefusedException {
        Placement held = validator.placement(request.getHeldList());
        reserve(registration, held);
        takeRegistration(request, held);
    }

    private void reserve(Registration described, Placement held) throws TrainingRefusedException {
        long bytes = KeptBytes.of(limits, described);
        if (!memory.resize(bytes + KeptBytes.of(tasks) + KeptBytes.of(held))) {
            throw new TrainingRefusedException(
                    Reason.NOT_SERVED,
                    "the training jobs take all memory that the scheduler keeps for them. Remedy: wait until others have"
                            + " ended, or raise yarn.scheduler.optimus.job-memory-percent or the heap of the"
                            + " ResourceManager");
        }
        keptBytes = bytes;
    }

    /** The job has ended: its memory is free for others. Waits for no report. */
    void release() {
        memory.release();
    }

    /**
     * The job registers again: after a restart of either side, or because it was asked to.
     *
     * @return whether the attempt or the demand is new
     */
    synchronized boolean registerAgain(
            ApplicationFacts newFacts, Registration newRegistration, RegisterJobRequestProto request)
            throws TrainingRefusedException {
        if (newFacts.attempt().compareTo(facts.attempt()) < 0) {
            throw new TrainingRefusedException(
                    Reason.NOT_CURRENT_ATTEMPT,
                    newFacts.attempt() + " is over: " + facts.attempt() + " has registered. Remedy: end it");
        }
        RegistrationValidator.checkSameTasks(registration, newRegistration);
        ReportValidator newValidator = validatorOf(newRegistration);
        Placement held = newValidator.placement(request.getHeldList());
        reserve(newRegistration, held);
        boolean isNew = finished
                || !newFacts.attempt().equals(facts.attempt())
                || !newRegistration.demand().equals(registration.demand());
        facts = newFacts;
        registration = newRegistration;
        refusedBefore += validator.refused();
        validator = newValidator;
        lastSequence = 0;
        finished = false;
        if (request.getHistory().getLossesCount() > 0) {
            // The job sends its whole history, which is more complete than the one kept here.
            losses.startOver(registration.training().stepsPerEpoch());
        } else {
            losses.goOnAt(request.getCurrentStep(), registration.training().stepsPerEpoch());
        }
        takeRegistration(request, held);
        return isNew;
    }

    /**
     * Takes in a report, unless it was taken in before, and returns what it changed. Returns empty if the caller's
     * attempt is not the one that registered last: each attempt numbers its own reports.
     */
    synchronized Optional<ReportSummary> report(ApplicationFacts newFacts, ReportRequestProto report) {
        if (!newFacts.attempt().equals(facts.attempt())) {
            return Optional.empty();
        }
        boolean newPriority = newFacts.priority() != facts.priority();
        facts = newFacts;
        if (report.getSequence() <= lastSequence) {
            return Optional.of(ReportSummary.NONE);
        }
        lastSequence = report.getSequence();
        evidence.heard();
        long refusedUntilNow = validator.refused();
        long stepBefore = step;
        if (report.hasCurrentStep()) {
            validator.step(report.getCurrentStep()).ifPresent(reported -> step = reported);
        }
        if (report.hasEpoch()) {
            validator.epoch(report.getEpoch()).ifPresent(reported -> epoch = OptionalDouble.of(reported));
        }
        if (report.hasStepsPerEpoch()) {
            validator.stepsPerEpoch(report.getStepsPerEpoch()).ifPresent(this::takeStepsPerEpoch);
        }
        if (step > stepBefore) {
            evidence.advanced();
        }
        membership = report.getMembership();
        carriedOut = Math.max(carriedOut, report.getPlan());
        Placement membersBefore = members;
        members = validator.placement(report.getMembersList());
        if (!members.byNode().isEmpty()) {
            trainedMillis = evidence.heardMillis();
        }
        exploration.stepped(members.allocation(), step - stepBefore);
        takeTasks(validator.tasks(report.getTasksList()));
        takeLosses(report.getLossesList());
        boolean newSize = takeSpeeds(report.getSpeedsList(), membersBefore);
        takeStepTimes(report.getStepTimesList());
        if (report.hasGradientNoise()) {
            takeNoise(report.getGradientNoise());
        }
        if (report.hasBatch()) {
            validator
                    .batch(report.getBatch(), registration.training().batches())
                    .ifPresent(samples -> lastBatch = OptionalLong.of(samples));
        }
        takeResizes(report.getResizesList());
        List<ReportedResize> resized = resizes.count(evidence.resizes(resizes.done()));
        return Optional.of(new ReportSummary(
                newSize,
                resized.size(),
                resized.stream().mapToLong(ReportedResize::pauseMillis).sum(),
                validator.refused() - refusedUntilNow,
                newPriority));
    }

    /** Marks the job as finished, unless a later attempt than the caller has registered. */
    synchronized void finish(ApplicationFacts newFacts, FinishJobRequestProto request) {
        if (newFacts.attempt().compareTo(facts.attempt()) < 0) {
            return;
        }
        validator.step(request.getFinalStep()).ifPresent(reported -> step = reported);
        if (request.hasFinalEpoch()) {
            validator.epoch(request.getFinalEpoch()).ifPresent(reported -> epoch = OptionalDouble.of(reported));
        }
        if (request.hasFinalLoss() && ReportRanges.loss(request.getFinalLoss())) {
            losses.endWith(request.getFinalLoss());
        }
        accuracy = request.hasAccuracy() && ReportRanges.accuracy(request.getAccuracy())
                ? OptionalDouble.of(request.getAccuracy())
                : OptionalDouble.empty();
        output = request.hasOutput() ? Optional.of(OneLine.of(request.getOutput(), LONGEST_OUTPUT)) : Optional.empty();
        finished = true;
        version++;
    }

    /** What the job leaves, once it has told of its end. */
    synchronized JobEnd end() {
        return new JobEnd(losses(), accuracy, output);
    }

    /** Notes a published plan; steps count as explored while the job runs on a {@code size} to explore. */
    synchronized void planned(long plan, Allocation size, boolean explores, String reason) {
        exploration.planned(size, explores);
        resizes.planned(new JobTimeline.Decision(plan, evidence.planned(plan), size, explores, reason));
    }

    /** Notes that the job holds {@code tasks} at {@code nowMillis}. */
    synchronized void holds(Allocation tasks, long nowMillis) {
        evidence.holds(tasks, nowMillis);
    }

    /** Gives {@code size} up: it gave no sample in time and is not explored again. */
    synchronized void giveUp(Allocation size) {
        if (exploration.giveUp(size)) {
            version++;
        }
    }

    /** Fits the loss curve, or returns the last fit if no losses came since. */
    synchronized FittedLosses fit(LossCurveFitter fitter) {
        return losses.fit(fitter);
    }

    synchronized JobTimeline timeline() {
        return new JobTimeline(losses.points(), evidence.sizes(), resizes.decisions());
    }

    /** The points of the loss curve. */
    synchronized List<LossPoint> losses() {
        return losses.points();
    }

    synchronized JobView view() {
        MeasuredSizes sizes = speeds.sizes(evidence::canHaveRun);
        State state = finished ? State.FINISHED : members.byNode().isEmpty() ? State.WAITING : State.RUNNING;
        return new JobView(
                facts,
                registration,
                state,
                new JobView.Progress(step, epoch, losses.last(), members, membership, carriedOut),
                new JobView.Measurements(
                        sizes,
                        gpus.of(registration.demand().workers(), members),
                        exploration.givenUp(),
                        exploration.steps(),
                        registration
                                .training()
                                .batches()
                                .map(limits -> batch.observations(limits, evidence::canHaveRun)),
                        lastBatch),
                new JobView.History(evidence.held(), resizes.last(), evidence.resizes(resizes.done())),
                new JobView.Reports(
                        version,
                        tasks,
                        refusedBefore
                                + validator.refused()
                                + (speeds.reported() - sizes.sizes().size()),
                        evidence.heardMillis(),
                        trainedMillis));
    }

    private void takeRegistration(RegisterJobRequestProto request, Placement held) {
        evidence.heard();
        HistoryProto history = request.getHistory();
        losses.announce(registration.training().bends());
        takeLosses(history.getLossesList());
        if (resizes.last().isEmpty()) {
            takeResizes(history.getResizesList());
        }
        validator.step(request.getCurrentStep()).ifPresent(reported -> step = reported);
        members = held;
        takeSpeeds(history.getSpeedsList(), members);
        takeStepTimes(history.getStepTimesList());
        if (history.hasGradientNoise()) {
            takeNoise(history.getGradientNoise());
        }
        membership = request.getMembership();
        carriedOut = Math.max(carriedOut, request.getPlan());
        version++;
    }

    /** Corrects the guess of a job that registered before it had read its data. Reports carry whole steps only. */
    private void takeStepsPerEpoch(long reported) {
        if (Math.round(registration.training().stepsPerEpoch()) != reported) {
            registration = registration.withStepsPerEpoch((double) reported);
            losses.countEpochsBy((double) reported);
            version++;
        }
    }

    private void takeLosses(List<LossPointProto> reported) {
        List<ReportValidator.ReportedLoss> admitted = validator.losses(reported, losses.lastStep());
        losses.take(admitted);
        version += admitted.size();
    }

    /** Returns whether a size was measured for the first time; {@code membersBefore} are the members before the report. */
    private boolean takeSpeeds(List<SpeedSampleProto> reported, Placement membersBefore) {
        List<ReportValidator.ReportedSpeed> admitted = validator.speeds(reported);
        version += admitted.size();
        return speeds.take(admitted, members, membersBefore);
    }

    private void takeStepTimes(List<StepTimeProto> reported) {
        List<ReportValidator.ReportedSteps> admitted =
                validator.stepTimes(reported, registration.training().batches());
        batch.take(admitted, members);
        version += admitted.size();
    }

    private void takeNoise(GradientNoiseProto reported) {
        validator.noise(reported).ifPresent(noise -> {
            batch.take(noise);
            version++;
        });
    }

    /**
     * Rates of tasks are only shown: where memory is short, they are left out. Members that YARN has seen are always kept, since
     * YARN bounds the number of containers.
     */
    private void takeTasks(List<TaskRate> all) {
        List<TaskRate> reported = all.subList(0, Math.min(all.size(), evidence.mostTasks() + UNSEEN_TASKS));
        long needed = keptBytes + KeptBytes.of(members);
        if (memory.resize(needed + KeptBytes.of(reported))) {
            tasks = List.copyOf(reported);
            return;
        }
        tasks = List.of();
        if (members.allocation().isWithin(evidence.held().now())) {
            memory.take(needed);
        } else if (!memory.resize(needed)) {
            members = Placement.NONE;
            memory.take(keptBytes);
        }
    }

    private void takeResizes(List<ResizeProto> reported) {
        resizes.take(validator.resizes(reported, evidence::canHavePaused));
    }

    private static ReportValidator validatorOf(Registration registration) {
        return new ReportValidator(registration.demand().maximum());
    }
}
