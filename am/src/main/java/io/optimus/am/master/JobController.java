package io.optimus.am.master;

import io.optimus.am.configuration.MasterSettings;
import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.job.ServerMemory;
import io.optimus.am.master.journal.HistoryView;
import io.optimus.am.master.journal.Journal;
import io.optimus.am.master.journal.JournalFields;
import io.optimus.am.master.journal.PlacedSpeed;
import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.master.page.StatusView;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.FollowerEvents;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.JobTask;
import io.optimus.am.master.plan.PlanFollower;
import io.optimus.am.master.plan.TaskFailures;
import io.optimus.am.master.plan.TaskViews;
import io.optimus.am.master.scheduler.DirectiveSource;
import io.optimus.am.master.scheduler.JobMessages;
import io.optimus.am.master.scheduler.Reporter;
import io.optimus.am.master.scheduler.SchedulerReply;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TaskLauncher;
import io.optimus.am.membership.Resize;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job as its ApplicationMaster knows it: what the scheduler, YARN and the training say comes here, and what the
 * scheduler, the journal and the page are told comes from here. Belongs to the owner thread.
 */
public final class JobController implements FollowerEvents {
    private static final Logger LOG = LoggerFactory.getLogger(JobController.class);

    private final JobIdentity identity;
    private final Coordinator coordinator;
    private final PlanFollower follower;
    private final TaskFailures failures;
    private final DirectiveSource sizing;
    private final TaskViews crew;
    private final Reporter reporter;
    private final ResizeReasons reasons = new ResizeReasons();
    private final Survivors survivors = new Survivors();
    private final Journal journal;
    private final TrainingHistory story;
    private final Consumer<AttemptOutcome> ending;

    /** Who has stepped by node since the last resize, of whom speeds are. */
    private SortedMap<String, Allocation> stepping = Collections.emptySortedMap();

    private String lastLoss = "";
    private String silence = "no answer yet";
    private long lostTasks;
    private Optional<TrainingResult> result = Optional.empty();

    public JobController(
            JobIdentity identity,
            Containers containers,
            TaskLauncher launcher,
            Coordinator coordinator,
            Journal journal,
            TrainingHistory story,
            MasterSettings settings,
            Consumer<AttemptOutcome> ending) {
        this.identity = identity;
        this.coordinator = coordinator;
        this.journal = journal;
        this.story = story;
        this.ending = ending;
        this.failures =
                new TaskFailures(settings, role -> identity.spec().role(role).retries(), identity.user());
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
        this.sizing = new DirectiveSource(minimum, () -> follower.staying());
        this.crew = new TaskViews(follower.tasks(), coordinator, failures::logUrl);
        this.reporter = new Reporter(identity, coordinator, story, crew, follower::settledPlan);
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
        RegisterJobRequestProto registration = reporter.registration();
        note("registering", Map.of("step", registration.getCurrentStep()));
        return registration;
    }

    ReportRequestProto report() {
        return reporter.report();
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
        PlacedSpeed placed = PlacedSpeed.of(sample, stepping);
        story.speed(placed);
        note("speed", JournalFields.speed(placed));
    }

    void resized(Resize resize) {
        ResizeRecord happened = reasons.record(resize, identity.clock().getAsLong());
        story.resize(happened);
        stepping = JobMessages.membersByNode(crew.views());
        story.survivorsRestarted(survivors.restarted(crew::runs));
        note("resize", JournalFields.resize(happened));
        LOG.info(
                "resize from=\"{}\" to=\"{}\" pauseMillis={} plan={} reason=\"{}\"",
                happened.from(),
                happened.to(),
                happened.pauseMillis(),
                happened.plan(),
                happened.reason());
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
        ending.accept(new AttemptOutcome.Trained(how));
    }

    void trainingFailed(String reason) {
        end("Training cannot go on: " + reason + ". Last known: " + (lastLoss.isEmpty() ? "no step done" : lastLoss));
    }

    // What following the plan leads to.

    @Override
    public void following(Directive directive) {
        reasons.following(directive);
        note("directive", JournalFields.directive(directive));
        LOG.info(
                "directive plan={} target={} exploring={} reason=\"{}\"",
                directive.plan(),
                directive.target(),
                directive.exploring(),
                directive.reason());
    }

    @Override
    public void started(JobTask task) {
        note("task-started", JournalFields.task(task));
    }

    @Override
    public void resizing(Allocation from, Allocation to, SortedSet<TaskId> members, Directive directive) {
        reasons.asked(directive);
        survivors.asked(members);
        note("resizing", JournalFields.resizing(from, to, directive));
    }

    @Override
    public void unmet(RoleOnNode seat, int count) {
        note("ask-unmet", Map.of("seat", seat.toString(), "count", count));
        LOG.warn("YARN did not give {} containers for {} in time; they are asked for again later", count, seat);
    }

    @Override
    public void avoiding(SortedSet<String> nodes) {
        note("avoiding", Map.of("nodes", nodes));
        LOG.warn("No task is started on these nodes for now, where tasks failed often: {}", nodes);
    }

    @Override
    public void lost(JobTask task, ContainerExit exit) {
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
    void ended(AttemptOutcome outcome) {
        note("ended", Map.of("outcome", outcome.getClass().getSimpleName(), "diagnostics", outcome.diagnostics()));
    }

    TrainingHistory story() {
        return story;
    }

    public StatusView status() {
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
                new HistoryView(story.losses(), story.allocations(), story.resizes(), story.survivorsRestarted()),
                crew.views(),
                follower.avoidedNodes(),
                lostTasks,
                result);
    }

    private void end(String diagnostics) {
        note("failed", Map.of("diagnostics", diagnostics));
        ending.accept(new AttemptOutcome.Failed(diagnostics));
    }

    private void lastKnown(LossPoint point) {
        lastLoss = String.format(Locale.ROOT, "step %d, loss %.4g", point.step(), point.loss());
    }

    private void note(String event, Map<String, ?> fields) {
        journal.note(event, fields);
    }
}
