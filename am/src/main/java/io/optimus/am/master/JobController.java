package io.optimus.am.master;

import io.optimus.am.configuration.MasterSettings;
import io.optimus.am.coordinator.AwakeClock;
import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CurrentBatch;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.job.ServerMemory;
import io.optimus.am.master.journal.Journal;
import io.optimus.am.master.journal.JournalFields;
import io.optimus.am.master.journal.JournalReader;
import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.master.journal.TrainingHistory.PlacedSpeed;
import io.optimus.am.master.journal.TrainingHistory.PlacedSteps;
import io.optimus.am.master.page.StatusView;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.PlanFollower;
import io.optimus.am.master.plan.TaskMemory;
import io.optimus.am.master.plan.TaskView;
import io.optimus.am.master.scheduler.DirectiveSource;
import io.optimus.am.master.scheduler.Reporter;
import io.optimus.am.master.scheduler.SchedulerLink;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.membership.Resize;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.ThroughputObservation;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives what the scheduler, YARN and the training say; passes it to the plan follower, the history and the journal; and
 * writes what the scheduler and the page get. Belongs to the owner thread.
 */
final class JobController implements PlanFollower.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(JobController.class);

    private final JobIdentity identity;
    /** For deadlines: what came while this process stood still is not read yet. */
    private final AwakeClock awake;

    private final Coordinator coordinator;
    private final TaskMemory memory;
    private final Journal journal;
    private final TrainingHistory history;
    private final Consumer<AttemptOutcome> ending;
    private final PlanFollower follower;
    private final DirectiveSource source;
    private final Reporter reporter;
    private final ResizeTracker resizes = new ResizeTracker();

    /** Members by node since the last resize; measured speeds belong to them. */
    private SortedMap<String, Allocation> stepping = Collections.emptySortedMap();

    private String lastLoss = "no step done";
    private long lostTasks;
    private final SurvivedEvents survived;
    private final EarlierTasks earlier;

    private Optional<String> schedulerPage = Optional.empty();
    private Optional<TrainingResult> result = Optional.empty();

    /**
     * Starts a journal; nothing else happens yet.
     *
     * @param history training history of earlier attempts
     * @param ending called when the attempt must end
     */
    JobController(
            JobIdentity identity,
            MasterSettings settings,
            Containers containers,
            Coordinator coordinator,
            Journal journal,
            TrainingHistory history,
            Consumer<AttemptOutcome> ending) {
        this.identity = identity;
        this.coordinator = coordinator;
        this.journal = journal;
        this.history = history;
        this.ending = ending;
        this.awake = new AwakeClock(
                () -> TimeUnit.MILLISECONDS.toNanos(identity.clock().getAsLong()));
        LongSupplier awakeMillis = () -> TimeUnit.NANOSECONDS.toMillis(awake.nanos());
        this.survived = new SurvivedEvents(identity.clock());
        this.memory = new TaskMemory(identity.spec(), containers);
        PlanFollower.Job job = new PlanFollower.Job(
                identity.attempt(),
                identity.minimum(),
                identity.spec().mode(),
                role -> identity.spec().role(role).retries(),
                memory,
                awakeMillis);
        this.follower = new PlanFollower(job, settings.tasks(), settings.nodes(), containers, coordinator, this);
        this.earlier = new EarlierTasks(identity.attempt(), containers, follower, coordinator, awakeMillis);
        this.source = new DirectiveSource(identity.minimum(), follower::staying);
        this.reporter = new Reporter(identity, memory, coordinator, history, follower);
        history.losses().stream().reduce((earlier, later) -> later).ifPresent(this::rememberLoss);
        journal.note("started", Map.of("attempt", identity.attempt(), "application", identity.applicationId()));
    }

    PlanFollower follower() {
        return follower;
    }

    /** Looks at the clock. */
    void tick() {
        awake.tick();
        earlier.tick();
        follower.reconcile();
    }

    // An earlier attempt

    /** An earlier attempt had raised the memory with which tasks start, MiB by role. */
    void startsWith(Map<Role, Long> memoryMb) {
        memoryMb.forEach(memory::set);
    }

    EarlierTasks earlier() {
        return earlier;
    }

    /** Containers ended, of this attempt or of earlier ones. */
    void exited(List<ContainerExit> exits) {
        for (ContainerExit exit : exits) {
            journal.note(JournalReader.CONTAINER_ENDED, Map.of("container", exit.container()));
        }
        journal.hurry();
        earlier.exited(exits);
        follower.exited(exits);
    }

    void taskReachable(TaskId task, ServerAddress at) {
        follower.containerOf(task).ifPresent(container -> {
            journal.note(JournalReader.REACHABLE, JournalFields.reachable(container, at));
            journal.hurry();
        });
    }

    /** The coordinator has taken over, from an attempt that ended without a word. */
    void goesOn(long step, boolean inMemory, int tasks) {
        long reached = history.losses().stream()
                .reduce((earlier, later) -> later)
                .map(last -> last.step() + 1)
                .orElse(step);
        history.stepBackTo(step);
        journal.note("goes-on", Map.of("step", step, "inMemory", inMemory, "tasks", tasks));
        if (inMemory) {
            tookOver(tasks);
        } else {
            survived.add("the ApplicationMaster was started again");
            survived.steppedBack(Math.max(reached, step), step);
        }
        LOG.info("taken over attempt={} tasks={} inMemory={} step={}", identity.attempt(), tasks, inMemory, step);
    }

    void commandsGoOn(int tasks) {
        journal.note("commands-go-on", Map.of("tasks", tasks));
        tookOver(tasks);
        LOG.info("taken over attempt={} tasks={}", identity.attempt(), tasks);
    }

    private void tookOver(int tasks) {
        survived.add("the ApplicationMaster was started again, and has taken over " + tasks + " running tasks");
    }

    // Scheduler

    void answered(SchedulerLink.Reply reply) {
        source.answered(reply).ifPresent(follower::follow);
    }

    void shownAt(String page) {
        schedulerPage = Optional.of(page);
    }

    void schedulerUnreachable(String why) {
        source.unreachable(why);
    }

    /** As {@link Coordinator#yarnAnswers}. */
    void yarnAnswers() {
        coordinator.yarnAnswers();
    }

    /** A new job has waited long enough for a scheduler of training jobs. */
    void waitedForScheduler() {
        source.waitedForScheduler().ifPresent(follower::follow);
    }

    RegisterJobRequestProto registration() {
        RegisterJobRequestProto registration = reporter.registration();
        journal.note("registering", Map.of("step", registration.getCurrentStep()));
        return registration;
    }

    Optional<ReportRequestProto> report() {
        return reporter.report();
    }

    // Training

    void loss(LossPoint point) {
        history.addLoss(point);
        rememberLoss(point);
        if (Double.isFinite(point.loss())) {
            journal.note("loss", Map.of("step", point.step(), "loss", point.loss()));
        }
    }

    void reported(ProgramReport report) {
        history.addReport(report);
        journal.note("reported", JournalFields.report(report));
        LOG.info("reported step={} epoch={} values={}", report.step(), report.epoch(), report.values());
    }

    void speed(SpeedSample sample) {
        PlacedSpeed speed = PlacedSpeed.of(sample, stepping());
        history.addSpeed(speed);
        journal.note("speed", JournalFields.speed(speed));
    }

    /** The members by node. Those that are taken over are members before this is told that they step. */
    private SortedMap<String, Allocation> stepping() {
        if (stepping.isEmpty()) {
            stepping = TaskView.membersByNode(follower.tasks());
        }
        return stepping;
    }

    void stepTimes(ThroughputObservation means) {
        PlacedSteps steps = PlacedSteps.of(means, stepping());
        history.addStepTimes(steps);
        journal.note("step-times", JournalFields.stepTimes(steps));
    }

    void batchChanged(int before, CurrentBatch now) {
        Map<String, Object> fields = JournalFields.batch(now);
        fields.put("before", before);
        journal.note("batch", fields);
        LOG.info(
                "batch before={} now={} parts={} updates={}",
                before,
                now.samples(),
                now.accumulate() + 1,
                now.updates());
    }

    void resized(Resize resize) {
        ResizeRecord done = resizes.resized(resize, identity.clock().getAsLong(), follower::keeps);
        history.addResize(done);
        stepping = TaskView.membersByNode(follower.tasks());
        journal.note("resize", JournalFields.resize(done));
        if (!done.reason().planned()) {
            survived.stalled(done.reason().text() + ": training goes on with " + done.to(), done.pauseMillis());
        }
        LOG.info(
                "resize from=\"{}\" to=\"{}\" pauseMillis={} plan={} reason=\"{}\"",
                done.from(),
                done.to(),
                done.pauseMillis(),
                done.reason().plan(),
                done.reason().text());
        follower.reconcile();
    }

    void steppedBack(long fromStep, long toStep) {
        history.stepBackTo(toStep);
        journal.note("stepped-back", Map.of("from", fromStep, "to", toStep));
        survived.steppedBack(fromStep, toStep);
        LOG.warn("Training goes back from step {} to {}", fromStep, toStep);
    }

    void checkpointed(long step) {
        journal.note("checkpoint", Map.of("step", step));
    }

    void modelLoaded(long parameters, Optimizer optimizer) {
        if (!memory.grows(Role.PARAMETER_SERVER)) {
            ServerMemory.shortage(identity.spec(), parameters, optimizer)
                    .ifPresent(lack -> fail("The job's parameter servers are too small: " + lack));
            return;
        }
        long neededMb = ServerMemory.neededMb(identity.spec(), parameters, optimizer);
        if (!follower.needs(Role.PARAMETER_SERVER, neededMb)) {
            fail("The job's parameter servers are too small: each needs " + neededMb + " MiB for a model of "
                    + parameters
                    + " parameters, and YARN grants no container of more than " + memory.mostMb()
                    + " MiB in this queue: raise roles.ps.min, or lower roles.worker.max");
        }
    }

    void warned(String message) {
        journal.note("warning", Map.of("message", message));
        survived.add(message);
        LOG.warn("{}", message);
    }

    /**
     * Training ended by its stop rule. Without its model the job has failed, and its checkpoints are kept; commands keep
     * their model themselves.
     */
    void trained(TrainingResult how) {
        if (how.model().isEmpty() && identity.spec().command().isEmpty()) {
            fail("Training ended (" + how.reason()
                    + "), but its model was not written; its checkpoints are kept. Last known: " + lastLoss);
            return;
        }
        result = Optional.of(how);
        journal.note(JournalReader.FINISHED, JournalFields.result(how));
        journal.hurry();
        ending.accept(new AttemptOutcome.Trained(how));
    }

    void trainingFailed(String reason) {
        fail("Training cannot go on: " + reason + ". Last known: " + lastLoss);
    }

    // Plan follower

    @Override
    public void following(Directive directive) {
        resizes.following(directive);
        journal.note("directive", JournalFields.directive(directive));
        LOG.info(
                "directive plan={} target={} exploring={} reason=\"{}\"",
                directive.plan(),
                directive.target(),
                directive.exploring(),
                directive.reason());
    }

    @Override
    public void taskStarted(TaskId task, TaskContainer container) {
        journal.note("task-started", JournalFields.task(task, container));
    }

    @Override
    public void resizeRequested(Allocation from, Allocation to, SortedSet<TaskId> members, Directive directive) {
        resizes.requested(members, directive);
        journal.note("resizing", JournalFields.resizeRequest(from, to, directive));
    }

    @Override
    public void requestUnmet(RoleOnNode key, int count) {
        journal.note("request-unmet", Map.of("task", key.toString(), "count", count));
        LOG.warn("YARN did not allocate {} containers for {} in time; they are requested again later", count, key);
    }

    @Override
    public void avoiding(SortedSet<String> nodes) {
        journal.note("avoiding", Map.of("nodes", nodes));
        LOG.warn("Tasks failed often on these nodes, so none is started there for now: {}", nodes);
    }

    @Override
    public void taskGone(TaskId task) {
        resizes.lost(task);
    }

    @Override
    public void taskLost(TaskId task, TaskContainer container, ContainerExit exit) {
        lostTasks++;
        journal.note("task-lost", JournalFields.lostTask(task, container, exit));
        String how = exit.inWords(container, memory.grows(container.role()));
        survived.add(task + " on " + container.node() + " " + how + ": " + exit.diagnostics());
        LOG.warn(
                "task={} container={} node={} {}: {}", task, container.id(), container.node(), how, exit.diagnostics());
    }

    @Override
    public void stragglerFound(TaskId task, TaskContainer container, double slowness) {
        String factor = String.format(Locale.ROOT, "%.1f", slowness);
        Map<String, Object> fields = JournalFields.task(task, container);
        fields.put("slowness", slowness);
        journal.note("straggler", fields);
        survived.add(task + " on " + container.node() + " is replaced: its steps took " + factor
                + " times as long as with a worker like the others");
        LOG.warn(
                "straggler replaced task={} container={} node={} slowness={}",
                task,
                container.id(),
                container.node(),
                factor);
    }

    @Override
    public void memoryRaised(Role role, long beforeMb, long memoryMb) {
        journal.note(JournalReader.MEMORY_RAISED, JournalFields.memory(role, memoryMb));
        journal.hurry();
        survived.add((role == Role.WORKER ? "workers" : "parameter servers") + " start with " + memoryMb
                + " MiB of memory, because " + beforeMb + " did not suffice");
        LOG.warn("memory raised role={} beforeMb={} memoryMb={}", role, beforeMb, memoryMb);
    }

    @Override
    public void retriesUsedUp(String diagnostics) {
        fail(diagnostics);
    }

    // End and status

    /** The attempt ends. Another one takes over the containers; without one, they are released. */
    void ended(AttemptOutcome outcome) {
        journal.note(
                "ended", Map.of("outcome", outcome.getClass().getSimpleName(), "diagnostics", outcome.diagnostics()));
        if (outcome.endsApplication()) {
            follower.end();
        }
    }

    StatusView status() {
        Directive directive = follower.directive();
        CoordinatorStatus training = coordinator.status();
        return new StatusView(
                identity,
                identity.clock().getAsLong(),
                schedulerPage,
                training,
                new StatusView.FollowedPlan(
                        directive,
                        source.sizesItself(),
                        follower.settledPlan() == directive.plan(),
                        follower.avoidedNodes()),
                new StatusView.History(
                        history.losses(),
                        history.resizes(),
                        history.metrics(),
                        lostTasks,
                        resizes.restartedTasks(),
                        survived.view(training.refusedCallers())),
                follower.tasks(),
                result);
    }

    private void fail(String diagnostics) {
        journal.note("failed", Map.of("diagnostics", diagnostics));
        ending.accept(new AttemptOutcome.Failed(diagnostics));
    }

    private void rememberLoss(LossPoint point) {
        lastLoss = String.format(Locale.ROOT, "step %d, loss %.4g", point.step(), point.loss());
    }
}
