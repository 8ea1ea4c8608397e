package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.curve.LossHistory;
import io.optimus.model.placement.Placement;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.speed.SpeedSamples;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.HistoryProto;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/**
 * One job's soft state, in bounded memory whatever it reports. Its monitor is its only lock; nothing is called with it
 * held but the classes of the model, and {@link GpuSpeeds}, which waits for nobody.
 *
 * <p>Speeds are kept as they would be on GPUs of speed 1, so that one speed function serves all types.
 */
final class TrainingJob {
    private final ApplicationId id;
    private final JobMemory memory;
    private final GpuSpeeds gpus;
    private final SpeedSamples speeds;
    private final SortedSet<Allocation> givenUp = new TreeSet<>();
    private final Deque<Resize> resizes = new ArrayDeque<>();
    private final Map<Long, PlanNote> notes = new LinkedHashMap<>();

    private ApplicationFacts facts;
    private Registration registration;
    private ReportDoor door;
    private LossHistory losses;
    /** What came of fitting {@link #losses}; null since they changed. */
    private @Nullable FittedLosses fitted;

    private List<TaskRate> tasks = List.of();
    private Placement members = Placement.NONE;
    private OptionalDouble epoch = OptionalDouble.empty();
    private OptionalDouble loss = OptionalDouble.empty();
    private long lastLossStep = -1;
    private long step;
    private long exploredSteps;
    private long membership;
    private long carriedOut;
    private long lastSequence;
    private long refusedBefore;
    private long version;
    private HeldTasks held = HeldTasks.NEVER;
    private int resizesDone;
    private Allocation explored = Allocation.NONE;
    private boolean finished;

    /** What a plan said of this job, for the resizes that it led to. */
    private record PlanNote(boolean exploring, String reason) {}

    TrainingJob(
            ApplicationFacts facts,
            JobMemory memory,
            GpuSpeeds gpus,
            Registration registration,
            RegisterJobRequestProto request) {
        this.id = facts.attempt().getApplicationId();
        this.memory = memory;
        this.gpus = gpus;
        this.speeds = new SpeedSamples(memory.speedSizes());
        this.facts = facts;
        this.registration = registration;
        this.losses = emptyHistory();
        this.door = doorOf(registration);
        takeRegistration(request);
    }

    /** The job registers again: after a restart of either side, or because it was asked to. */
    synchronized void registerAgain(
            ApplicationFacts newFacts, Registration newRegistration, RegisterJobRequestProto request)
            throws TrainingRefusedException {
        if (newFacts.attempt().compareTo(facts.attempt()) < 0) {
            throw new TrainingRefusedException(
                    Reason.NOT_CURRENT_ATTEMPT,
                    newFacts.attempt() + " is over: " + facts.attempt() + " has registered. Remedy: end it");
        }
        RegistrationDoor.checkSameTasks(registration, newRegistration);
        facts = newFacts;
        registration = newRegistration;
        refusedBefore += door.refused();
        door = doorOf(newRegistration);
        lastSequence = 0;
        finished = false;
        fitted = null;
        if (request.getHistory().getLossesCount() > 0) {
            // It brings all that it knows: the fuller view of the two.
            losses = emptyHistory();
            lastLossStep = -1;
        } else {
            losses.countEpochsBy(registration.stepsPerEpoch());
        }
        if (request.getHistory().getLossesCount() == 0 && request.getCurrentStep() <= lastLossStep) {
            // It resumed from a checkpoint: what it has from now on is a curve of its own.
            losses.bend();
            lastLossStep = -1;
        }
        takeRegistration(request);
    }

    /**
     * Takes a report in, unless it was taken in before; says what news it brings. Empty where another attempt than the
     * caller's registered last: reports are numbered by each anew.
     */
    synchronized Optional<ReportNews> report(ApplicationFacts newFacts, ReportRequestProto report) {
        if (!newFacts.attempt().equals(facts.attempt())) {
            return Optional.empty();
        }
        facts = newFacts;
        if (report.getSequence() <= lastSequence) {
            return Optional.of(ReportNews.NONE);
        }
        lastSequence = report.getSequence();
        long refusedUntilNow = door.refused();
        long stepBefore = step;
        if (report.hasCurrentStep()) {
            door.step(report.getCurrentStep()).ifPresent(reported -> step = reported);
        }
        if (report.hasEpoch()) {
            door.epoch(report.getEpoch()).ifPresent(reported -> epoch = OptionalDouble.of(reported));
        }
        if (report.hasStepsPerEpoch()) {
            door.stepsPerEpoch(report.getStepsPerEpoch()).ifPresent(this::takeStepsPerEpoch);
        }
        membership = report.getMembership();
        carriedOut = Math.max(carriedOut, report.getPlan());
        Placement membersBefore = members;
        members = door.placement(report.getMembersList());
        if (!explored.isNone() && members.allocation().equals(explored)) {
            exploredSteps += Math.max(0, step - stepBefore);
        }
        tasks = door.tasks(report.getTasksList());
        takeLosses(report.getLossesList());
        boolean newSize = takeSpeeds(report.getSpeedsList(), membersBefore);
        int resized = takeResizes(report.getResizesList());
        return Optional.of(new ReportNews(newSize, resized, door.refused() - refusedUntilNow));
    }

    /** The job says that it has ended; an attempt that another one followed speaks for it no more. */
    synchronized void finish(ApplicationFacts newFacts, long finalStep, OptionalDouble finalLoss) {
        if (newFacts.attempt().compareTo(facts.attempt()) < 0) {
            return;
        }
        door.step(finalStep).ifPresent(reported -> step = reported);
        if (finalLoss.isPresent() && Plausible.loss(finalLoss.getAsDouble())) {
            loss = finalLoss;
        }
        finished = true;
        version++;
    }

    /** A plan was published for this job; steps count as explored while it runs on a {@code size} to explore. */
    synchronized void planned(long plan, Allocation size, boolean explores, String reason) {
        explored = explores ? size : Allocation.NONE;
        notes.put(plan, new PlanNote(explores, reason));
        if (notes.size() > memory.resizes()) {
            notes.remove(notes.keySet().iterator().next());
        }
    }

    /** It holds {@code tasks} at {@code nowMillis}. */
    synchronized void holds(Allocation tasks, long nowMillis) {
        held = held.then(tasks, nowMillis);
    }

    /** {@code size} gave no sample in time: it is not explored again. */
    synchronized void giveUp(Allocation size) {
        if (givenUp.size() < memory.speedSizes() && givenUp.add(size)) {
            version++;
        }
    }

    /** Fits the loss curve as it is now; where it is as it was, the fit is. */
    synchronized FittedLosses fit(LossCurveFitter fitter) {
        FittedLosses known = fitted;
        FittedLosses now = known != null ? known : new FittedLosses(fitter.fit(losses), losses.epochs());
        fitted = now;
        return now;
    }

    synchronized JobView view() {
        JobState state =
                finished ? JobState.FINISHED : members.byNode().isEmpty() ? JobState.WAITING : JobState.RUNNING;
        return new JobView(
                id,
                facts,
                registration,
                state,
                new JobProgress(step, epoch, loss, members, membership, carriedOut),
                speeds.sizes(),
                Collections.unmodifiableSortedSet(new TreeSet<>(givenUp)),
                exploredSteps,
                List.copyOf(resizes),
                tasks,
                refusedBefore + door.refused(),
                version,
                held,
                resizesDone,
                gpus.of(registration.workers(), members));
    }

    private void takeRegistration(RegisterJobRequestProto request) {
        HistoryProto history = request.getHistory();
        takeLosses(history.getLossesList());
        if (resizes.isEmpty()) {
            takeResizes(history.getResizesList());
        }
        door.step(request.getCurrentStep()).ifPresent(reported -> step = reported);
        members = door.placement(request.getHeldList());
        takeSpeeds(history.getSpeedsList(), members);
        membership = request.getMembership();
        carriedOut = Math.max(carriedOut, request.getPlan());
        version++;
    }

    /** A job that registered before it had read its data guessed; what it reports is rounded, and then says no more. */
    private void takeStepsPerEpoch(long reported) {
        if (Math.round(registration.stepsPerEpoch()) != reported) {
            registration = registration.withStepsPerEpoch((double) reported);
            losses.countEpochsBy((double) reported);
            fitted = null;
            version++;
        }
    }

    private void takeLosses(List<LossPointProto> reported) {
        for (ReportDoor.ReportedLoss taken : door.losses(reported, lastLossStep)) {
            if (taken.bend()) {
                losses.bend();
            }
            if (losses.add(taken.point())) {
                lastLossStep = taken.point().step();
                loss = OptionalDouble.of(taken.point().loss());
            }
            fitted = null;
            version++;
        }
    }

    /** Whether a size was measured for the first time; {@code membersBefore} it reported the ones it has now. */
    private boolean takeSpeeds(List<SpeedSampleProto> reported, Placement membersBefore) {
        int sizesBefore = speeds.sizes().sizes().size();
        for (ReportDoor.ReportedSpeed speed : door.speeds(reported)) {
            SpeedSample sample = speed.sample();
            Placement guessed = where(sample.allocation(), membersBefore);
            speeds.add(speed.workerNode()
                    .map(node -> onGpusOfSpeedOne(sample, Placement.of(Map.of(node, sample.allocation()))))
                    .orElseGet(() -> onGpusOfSpeedOne(
                            sample.on(Math.max(1, guessed.byNode().size())), guessed)));
            version++;
        }
        return speeds.sizes().sizes().size() > sizesBefore;
    }

    /**
     * Of a sample that tells no place: that of the members now, or of those before them, if they are as many; else nobody
     * knows.
     */
    private Placement where(Allocation measured, Placement membersBefore) {
        return Stream.of(members, membersBefore)
                .filter(placement -> placement.allocation().equals(measured))
                .findFirst()
                .orElse(Placement.NONE);
    }

    private SpeedSample onGpusOfSpeedOne(SpeedSample sample, Placement on) {
        return new SpeedSample(
                sample.allocation(),
                sample.nodes(),
                sample.stepsPerSecond() / gpus.of(registration.workers(), on),
                sample.seconds());
    }

    private int takeResizes(List<ResizeProto> reported) {
        List<Resize> taken = door.resizes(reported);
        for (Resize resize : taken) {
            PlanNote note = notes.getOrDefault(resize.plan(), new PlanNote(false, ""));
            resizes.addLast(new Resize(
                    resize.from(), resize.to(), resize.pauseMillis(), resize.plan(), note.exploring(), note.reason()));
            resizesDone += resize.from().isNone() ? 0 : 1;
            if (resizes.size() > memory.resizes()) {
                resizes.removeFirst();
            }
        }
        return taken.size();
    }

    private LossHistory emptyHistory() {
        // The history averages pairs: an even number.
        return new LossHistory(registration.stepsPerEpoch(), Math.max(2, memory.lossPoints() / 2 * 2));
    }

    private static ReportDoor doorOf(Registration registration) {
        return new ReportDoor(new Allocation(
                registration.parameterServers().max(), registration.workers().max()));
    }
}
