package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.belief.JobSituation;
import io.optimus.model.belief.LearningMode;
import io.optimus.model.belief.ResizeCost;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.QueuedJob;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.operator.SizeOrder;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import io.optimus.yarn.validation.Registration;
import io.optimus.yarn.validation.ReportedResize;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Makes the snapshots of queues and jobs that a round plans.
 *
 * @param beliefs the beliefs about the jobs
 * @param learning how the jobs of a queue learn
 * @param inForce the plan in force
 * @param sizes fixed sizes that administrators ordered
 * @param nowMillis the time by the clock that measures how long jobs have held tasks
 * @param wallMillis the time since 1970
 * @param settings the settings in force
 * @param guaranteed the last decisions, if these snapshots are for a plan within the guarantees; empty for the plan on free
 *     room
 */
record RoundSnapshots(
        BeliefOfJob beliefs,
        Function<String, LearningMode> learning,
        PublishedPlan inForce,
        Map<ApplicationId, SizeOrder> sizes,
        long nowMillis,
        long wallMillis,
        OptimusConfiguration settings,
        Optional<RoundPlan> guaranteed) {
    private static final double MILLIS = 1000;

    /** The belief that the policy of a job gets. */
    @FunctionalInterface
    interface BeliefOfJob {
        JobSnapshot.Belief of(ApplicationId job, LearningMode mode, JobSituation now);
    }

    /** Makes the snapshots for the plan on free room. */
    RoundSnapshots(
            BeliefOfJob beliefs,
            Function<String, LearningMode> learning,
            PublishedPlan inForce,
            Map<ApplicationId, SizeOrder> sizes,
            long nowMillis,
            long wallMillis,
            OptimusConfiguration settings) {
        this(beliefs, learning, inForce, sizes, nowMillis, wallMillis, settings, Optional.empty());
    }

    /** The same for a plan within the guarantees of the queues, where a job tries sizes for which there is no free room yet. */
    RoundSnapshots withinGuarantee(RoundPlan last) {
        return new RoundSnapshots(
                beliefs, learning, inForce, sizes, nowMillis, wallMillis, settings, Optional.of(last));
    }

    /** Returns a snapshot of each queue of {@code view}, with those of {@code jobs} that are in it. */
    List<QueueSnapshot> of(ClusterView view, List<JobView> jobs) {
        Map<ApplicationId, JobView> byId = jobs.stream().collect(Collectors.toMap(JobView::id, Function.identity()));
        return view.queues().stream()
                .map(queue -> new QueueSnapshot(
                        queue.queue(),
                        queue.cluster().less(awaitedByOthers(view, queue)),
                        queue.userBudgets(),
                        settings.owners().jobsPerUser().of(queue.queue()),
                        keepsRunning(queue),
                        jobs(view, queue, byId)))
                .toList();
    }

    /** Whether ordinary applications wait in the queue, or others have taken room that its jobs hold. */
    private static boolean keepsRunning(QueueView queue) {
        return !queue.ordinary().pending().equals(Resources.NONE)
                || !queue.trainingHeld().fitsIn(queue.cluster().available());
    }

    private List<QueuedJob> jobs(ClusterView view, QueueView queue, Map<ApplicationId, JobView> byId) {
        boolean growthFits = growthFits(queue);
        return queue.usages().stream()
                .flatMap(usage ->
                        Optional.ofNullable(byId.get(usage.application().id()))
                                .map(job -> queued(job, usage, queue, growthFits, avoided(usage, queue, view.free())))
                                .stream())
                .toList();
    }

    /**
     * Whether jobs that start or grow can have the size that they are growing to, and all other running jobs their minimum.
     * Where others have taken room of the queue meanwhile, a job that grows gives way like any other: otherwise one that does
     * not grow would lose its minimum for it.
     */
    private boolean growthFits(QueueView queue) {
        Resources needed = Resources.NONE;
        Map<String, Resources> neededByUser = new HashMap<>();
        for (ApplicationUsage usage : queue.usages()) {
            Resources own = growing(usage)
                    .map(part -> usage.application().resources(part.target().allocation()))
                    .orElseGet(usage::neededInAll);
            needed = needed.plus(own);
            neededByUser.merge(usage.user(), own, Resources::plus);
        }
        return needed.fitsIn(queue.cluster().available())
                && neededByUser.entrySet().stream().allMatch(user -> user.getValue()
                        .fitsIn(queue.userBudgets().getOrDefault(user.getKey(), user.getValue())));
    }

    /** Room that jobs of other queues are about to take, by node. */
    private Map<String, Resources> awaitedByOthers(ClusterView view, QueueView queue) {
        Map<String, Resources> awaited = new HashMap<>();
        for (QueueView other : view.queues()) {
            for (ApplicationUsage usage : other.equals(queue) ? List.<ApplicationUsage>of() : other.usages()) {
                growing(usage).ifPresent(part -> part.target().byNode().forEach((node, tasks) -> {
                    Allocation more = tasks.beyond(usage.live().on(node));
                    awaited.merge(node, usage.application().resources(more), Resources::plus);
                }));
            }
        }
        return awaited;
    }

    /**
     * The place of a job: where its tasks are or, while it starts or grows, where they are about to be. Otherwise each
     * round would move the tasks of a job that starts to whatever node has most room at that moment.
     */
    private Placement place(ApplicationUsage usage) {
        return growing(usage).map(JobPlan::target).orElse(usage.live());
    }

    private Optional<JobPlan> growing(ApplicationUsage usage) {
        return inForce.of(usage.application().id())
                .filter(part -> part.keepsPlace(nowMillis, settings.rounds().growthMillis()));
    }

    private QueuedJob queued(
            JobView job, ApplicationUsage usage, QueueView queue, boolean growthFits, SortedSet<String> avoided) {
        Proposal known = inForce.of(job.id())
                .map(part -> new Proposal(part.planned(), part.why()::decision, part.exploring()))
                .orElseGet(() -> Proposal.of(usage.live()));
        return new QueuedJob(
                snapshot(job, usage, queue, growthFits),
                usage.user(),
                known,
                isUnderWay(job),
                avoided,
                job.scheduling().gpuTypes());
    }

    /**
     * The nodes that get no new tasks of a job: those that its application blacklists, and those where YARN has not granted for
     * {@code growth-timeout} what was planned there. Otherwise the plan would choose the same node again, because it seems to
     * have room. While no other node has room, the job goes on waiting there.
     */
    private SortedSet<String> avoided(ApplicationUsage usage, QueueView queue, Map<String, Resources> free) {
        SortedSet<String> avoided = new TreeSet<>(usage.avoidedNodes());
        SortedSet<String> starved = starved(usage);
        if (starved.isEmpty()) {
            return avoided;
        }
        boolean othersHaveRoom = queue.cluster().nodes().stream()
                .map(NodeSnapshot::id)
                .filter(node -> !starved.contains(node) && !avoided.contains(node))
                .anyMatch(node -> usage.application().hasRoom(free.getOrDefault(node, Resources.NONE)));
        if (othersHaveRoom) {
            avoided.addAll(starved);
        }
        return avoided;
    }

    private SortedSet<String> starved(ApplicationUsage usage) {
        SortedSet<String> starved = new TreeSet<>();
        inForce.of(usage.application().id())
                .filter(part -> part.growsSinceMillis().isPresent()
                        && !part.keepsPlace(nowMillis, settings.rounds().growthMillis()))
                .ifPresent(part -> part.target().byNode().forEach((node, tasks) -> {
                    if (!tasks.isWithin(usage.live().on(node))) {
                        starved.add(node);
                    }
                }));
        return starved;
    }

    /** Whether the job has not yet carried out the plan in force. */
    private boolean isUnderWay(JobView job) {
        return inForce.of(job.id())
                .filter(part -> !part.planned().equals(job.progress().members()))
                .isPresent();
    }

    /**
     * Whether no trial may begin now. A job that waits for containers within its guarantee tries nothing on free room
     * meanwhile: YARN may grant them at any moment.
     */
    private boolean isResizing(JobView job) {
        boolean waits =
                inForce.of(job.id()).filter(part -> !part.awaited().isNone()).isPresent();
        return isUnderWay(job) || (guaranteed.isEmpty() && waits);
    }

    private JobSnapshot snapshot(JobView job, ApplicationUsage usage, QueueView queue, boolean growthFits) {
        Registration registration = job.registration();
        Resources free = queue.cluster().available().minus(queue.trainingHeld());
        Optional<Allocation> fixed = Optional.ofNullable(sizes.get(job.id())).map(SizeOrder::size);
        JobDemand demand = fixed.map(
                        size -> fixed(registration.demand(), usage.live().allocation(), size, free))
                .orElseGet(registration::demand);
        JobSituation now = JobSituation.of(demand, running(job, usage), isResizing(job), free);
        SchedulingTerms terms = settings.owners().within(queue.queue(), job.scheduling());
        boolean mayShrink = fixed.isEmpty() && job.mayShrink(terms, nowMillis);
        return new JobSnapshot(
                new JobSnapshot.Identity(job.id().toString(), job.facts().submitMillis(), terms),
                demand,
                demand.maximum(),
                new JobSnapshot.State(
                        place(usage),
                        job.progress().members().allocation(),
                        mayShrink && (!growthFits || growing(usage).isEmpty()),
                        resizeCostSeconds(job),
                        history(job)),
                beliefs.of(job.id(), learning.apply(queue.queue()), mayShrink ? now : now.keepingTasks()));
    }

    /**
     * The demand of a job whose size is fixed: that size alone. A job that runs and has no room yet to grow to it keeps
     * what it holds until then.
     */
    private static JobDemand fixed(JobDemand demand, Allocation held, Allocation size, Resources free) {
        Resources more = demand.resources(size.beyond(held));
        Allocation goal =
                held.isNone() || !demand.minimum().isWithin(held) || more.fitsIn(free) ? size : size.min(held);
        return new JobDemand(
                fixed(demand.parameterServers(), goal.parameterServers()), fixed(demand.workers(), goal.workers()));
    }

    private static RoleDemand fixed(RoleDemand role, int tasks) {
        return new RoleDemand(role.task(), tasks, tasks);
    }

    private JobHistory history(JobView job) {
        return new JobHistory(
                Math.max(0, wallMillis - job.facts().submitMillis()) / MILLIS,
                job.history().held().workerSeconds(nowMillis),
                job.history().resizesDone(),
                job.history().held().largest());
    }

    private Running running(JobView job, ApplicationUsage usage) {
        Optional<Allocation> trying = inForce.of(job.id())
                .filter(JobPlan::exploring)
                .map(part -> part.planned().allocation())
                .or(() -> guaranteed.flatMap(last -> last.guaranteedTrial(job.id())));
        return new Running(
                usage.live().allocation(),
                trying,
                history(job).ageSeconds(),
                resizeCostSeconds(job),
                settings.rounds().intervalMillis() / MILLIS);
    }

    private double resizeCostSeconds(JobView job) {
        return ResizeCost.seconds(
                job.history().resizes().stream()
                        .map(ReportedResize::pauseMillis)
                        .toList(),
                settings.rounds().assumedResizeMillis());
    }
}
