package io.optimus.am.master;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorListener.Resize;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.job.ServerMemory;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.curve.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.HistoryProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job as its ApplicationMaster knows it: what the scheduler, YARN and the training say comes here, and what the
 * scheduler, the journal and the page are told comes from here. Belongs to the owner thread.
 */
final class TrainingJob implements FollowerEvents {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingJob.class);

    private final JobIdentity identity;
    private final Coordinator coordinator;
    private final PlanFollower follower;
    private final FailureLedger failures;
    private final Sizing sizing;
    private final Journal journal;
    private final JobStory story;
    private final Consumer<Outcome> ending;

    /** The first of the directives that aim at the present size: later ones only say why the job stays there. */
    private Directive aimedBy = Directive.NONE;

    private Directive resizedBy = Directive.NONE;
    private SortedSet<TaskId> survivors = new TreeSet<>();
    private SortedSet<TaskId> requested = new TreeSet<>();
    /** Who has stepped by node since the last resize, of whom speeds are. */
    private SortedMap<String, Allocation> stepping = Collections.emptySortedMap();

    private String lastLoss = "";
    private String silence = "no answer yet";
    private long reports;
    private long lostTasks;
    private Optional<TrainingResult> result = Optional.empty();

    TrainingJob(
            JobIdentity identity,
            Containers containers,
            TaskLauncher launcher,
            Coordinator coordinator,
            Journal journal,
            JobStory story,
            MasterSettings settings,
            Consumer<Outcome> ending) {
        this.identity = identity;
        this.coordinator = coordinator;
        this.journal = journal;
        this.story = story;
        this.ending = ending;
        this.failures =
                new FailureLedger(settings, role -> identity.spec().role(role).retries(), identity.user());
        Allocation minimum = identity.minimum();
        this.follower = new PlanFollower(
                containers,
                launcher,
                coordinator,
                failures,
                this,
                settings,
                minimum,
                identity.attempt(),
                identity.clock());
        this.sizing = new Sizing(minimum, () -> follower.staying());
        story.losses().stream().reduce((earlier, later) -> later).ifPresent(this::lastKnown);
        note("started", Map.of("attempt", identity.attempt(), "application", identity.applicationId()));
    }

    PlanFollower follower() {
        return follower;
    }

    // What the scheduler says.

    void answered(SchedulerReply reply) {
        sizing.answered(reply).ifPresent(follower::follow);
    }

    void schedulerUnreachable(String why) {
        silence = why;
    }

    /** A new job has waited long enough for a scheduler of training jobs. */
    void waitedForScheduler() {
        sizing.silence(silence).ifPresent(follower::follow);
    }

    RegisterJobRequestProto registration() {
        CoordinatorStatus status = coordinator.status();
        story.takeNews();
        HistoryProto.Builder history = HistoryProto.newBuilder();
        history.addAllLosses(Messages.losses(story.losses(), story.bend()));
        story.speeds().forEach(sample -> history.addSpeeds(Messages.speed(sample)));
        story.lastResizes().forEach(resize -> history.addResizes(Messages.resize(resize)));
        note("registering", Map.of("step", status.step()));
        return identity.registration()
                .setStepsPerEpoch(identity.stepsPerEpoch(status))
                .setHistory(history)
                .addAllHeld(Messages.members(tasks()))
                .setMembership(membershipNumber(status))
                .setCurrentStep(status.step())
                .setPlan(Math.max(0, follower.settledPlan()))
                .build();
    }

    ReportRequestProto report() {
        CoordinatorStatus status = coordinator.status();
        JobStory.News news = story.takeNews();
        ReportRequestProto.Builder report = ReportRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setSequence(++reports)
                .setCurrentStep(status.step())
                .setMembership(membershipNumber(status))
                .setPlan(Math.max(0, follower.settledPlan()))
                .setEpoch(status.epoch());
        if (status.stepsPerEpoch() > 0) {
            report.setStepsPerEpoch(Math.round(status.stepsPerEpoch()));
        }
        List<TaskView> tasks = tasks();
        report.addAllLosses(Messages.losses(news.losses(), news.bend()));
        news.speeds().forEach(sample -> report.addSpeeds(Messages.speed(sample)));
        news.resizes().forEach(resize -> report.addResizes(Messages.resize(resize)));
        tasks.stream().filter(TaskView::member).map(Messages::rate).forEach(report::addTasks);
        return report.addAllMembers(Messages.members(tasks)).build();
    }

    // What the training says.

    void loss(LossPoint point) {
        story.loss(point);
        lastKnown(point);
        if (Double.isFinite(point.loss())) {
            note("loss", Map.of("step", point.step(), "loss", point.loss()));
        }
    }

    void speed(SpeedSample sample) {
        PlacedSample placed = PlacedSample.of(sample, stepping);
        story.speed(placed);
        note("speed", JournalFields.speed(placed));
    }

    void resized(Resize resize) {
        boolean planned =
                switch (resize.cause()) {
                    case STARTED, PLANNED -> true;
                    case WORKER_LOST, SERVER_LOST -> false;
                };
        String reason = planned ? resizedBy.reason() : resize.cause().name().toLowerCase(Locale.ROOT);
        ResizeRecord happened = new ResizeRecord(
                identity.clock().getAsLong(),
                resize.from(),
                resize.to(),
                resize.pauseMillis(),
                resize.step(),
                planned && resizedBy.exploring(),
                reason,
                planned && resizedBy.pinned() ? Math.max(0, resizedBy.plan()) : 0,
                planned);
        story.resize(happened);
        stepping = Messages.membersByNode(tasks());
        countSurvivors();
        note("resize", JournalFields.resize(happened));
        LOG.info(
                "resize from=\"{}\" to=\"{}\" pauseMillis={} plan={} reason=\"{}\"",
                happened.from(),
                happened.to(),
                happened.pauseMillis(),
                happened.plan(),
                reason);
        follower.look();
    }

    void steppedBack(long fromStep, long toStep) {
        story.steppedBackTo(toStep);
        note("stepped-back", Map.of("from", fromStep, "to", toStep));
        LOG.warn("A parameter server was lost: training goes back from step {} to {}", fromStep, toStep);
    }

    void checkpointed(long step) {
        note("checkpoint", Map.of("step", step));
    }

    void modelLoaded(long parameters) {
        ServerMemory.lack(identity.spec(), parameters)
                .ifPresent(lack -> end("The job's parameter servers are too small: " + lack));
    }

    void warned(String message) {
        note("warning", Map.of("message", message));
        LOG.warn("{}", message);
    }

    /** A result without its model is none: the job has failed, and its checkpoints are kept. */
    void trained(TrainingResult how) {
        if (how.model().isEmpty()) {
            trainingFailed("it ended (" + how.reason() + ") without a model; its checkpoints are kept");
            return;
        }
        result = Optional.of(how);
        note("finished", JournalFields.result(how));
        ending.accept(new Outcome.Trained(how));
    }

    void trainingFailed(String reason) {
        end("Training cannot go on: " + reason + ". Last known: " + (lastLoss.isEmpty() ? "no step done" : lastLoss));
    }

    // What following the plan leads to.

    @Override
    public void following(Directive directive) {
        if (!directive.planned().equals(aimedBy.planned())) {
            aimedBy = directive;
        }
        note("directive", JournalFields.directive(directive));
        LOG.info(
                "directive plan={} target={} exploring={} reason=\"{}\"",
                directive.plan(),
                directive.target(),
                directive.exploring(),
                directive.reason());
    }

    @Override
    public void started(Task task) {
        note("task-started", JournalFields.task(task));
    }

    @Override
    public void resizing(Allocation from, Allocation to, SortedSet<TaskId> members, Directive directive) {
        resizedBy = directive.because(aimedBy.reason());
        survivors = new TreeSet<>(members);
        survivors.retainAll(requested);
        requested = new TreeSet<>(members);
        note("resizing", JournalFields.resizing(from, to, directive));
    }

    @Override
    public void unmet(Seat seat, int count) {
        note("ask-unmet", Map.of("seat", seat.toString(), "count", count));
        LOG.warn("YARN did not give {} containers for {} in time; they are asked for again later", count, seat);
    }

    @Override
    public void avoiding(SortedSet<String> nodes) {
        note("avoiding", Map.of("nodes", nodes));
        LOG.warn("No task is started on these nodes for now, where tasks failed often: {}", nodes);
    }

    @Override
    public void lost(Task task, ContainerExit exit) {
        lostTasks++;
        note("task-lost", JournalFields.lost(task, exit, failures.logUrl(task.grant())));
        LOG.warn(
                "task={} container={} node={} ended with {}: {}",
                task.id(),
                task.grant().container(),
                task.grant().node(),
                exit.inWords(),
                exit.diagnostics());
    }

    @Override
    public void failed(String diagnostics) {
        end(diagnostics);
    }

    /** Gives all containers back; the job is over. */
    void end() {
        follower.end();
    }

    /** Notes how it all ended. */
    void ended(Outcome outcome) {
        note("ended", Map.of("outcome", outcome.getClass().getSimpleName(), "diagnostics", outcome.diagnostics()));
    }

    JobStory story() {
        return story;
    }

    StatusView status() {
        return new StatusView(
                identity.applicationId(),
                identity.attempt(),
                identity.startedMillis(),
                identity.clock().getAsLong(),
                identity.spec(),
                coordinator.status(),
                follower.directive(),
                sizing.sizesItself(),
                follower.settledPlan() == follower.directive().plan(),
                new StoryView(story.losses(), story.allocations(), story.resizes(), story.survivorsRestarted()),
                tasks(),
                follower.avoidedNodes(),
                lostTasks,
                result);
    }

    private void end(String diagnostics) {
        note("failed", Map.of("diagnostics", diagnostics));
        ending.accept(new Outcome.Failed(diagnostics));
    }

    /** A survivor of a resize is the same process in the same container; ids are never given to a second one. */
    private void countSurvivors() {
        Map<TaskId, TaskStatus> connected = coordinator.status().tasks();
        long restarted = survivors.stream()
                .filter(task -> !connected.containsKey(task)
                        || follower.tasks().named(task).isEmpty())
                .count();
        story.survivorsRestarted((int) restarted);
        survivors = new TreeSet<>();
    }

    private List<TaskView> tasks() {
        Map<TaskId, TaskStatus> connected = coordinator.status().tasks();
        return follower.tasks().all().map(task -> view(task, connected)).toList();
    }

    private TaskView view(Task task, Map<TaskId, TaskStatus> connected) {
        TaskStatus status = connected.get(task.id());
        boolean member = status != null && status.member() && task.phase() == Task.Phase.READY;
        double rate = status != null && member ? status.stepsPerSecond() : 0;
        String state = member ? "member" : task.phase().name().toLowerCase(Locale.ROOT);
        return new TaskView(
                task.id(), task.grant().node(), task.grant().container(), state, rate, failures.logUrl(task.grant()));
    }

    private void lastKnown(LossPoint point) {
        lastLoss = String.format(Locale.ROOT, "step %d, loss %.4g", point.step(), point.loss());
    }

    private void note(String event, Map<String, ?> fields) {
        journal.note(event, fields);
    }

    /** Rises over attempts too. */
    private static long membershipNumber(CoordinatorStatus status) {
        return ((long) status.membership().attempt() << 32)
                + status.membership().number();
    }
}
