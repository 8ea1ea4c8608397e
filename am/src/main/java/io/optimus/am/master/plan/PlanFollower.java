package io.optimus.am.master.plan;

import io.optimus.am.configuration.MasterSettings.FailureLimits;
import io.optimus.am.configuration.MasterSettings.TaskTimeouts;
import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.master.plan.JobTask.Phase;
import io.optimus.am.master.plan.Stragglers.Straggler;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.TaskExit;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Brings the job to the target of its directive, and starts over from the present state whenever something changes.
 *
 * <p>Every event leads to the same steps: see which processes have connected, stop surplus tasks, give up late ones,
 * request missing containers, and ask for the membership that the tasks allow. So a newer directive, a lost container or
 * a preemption in the middle of a resize needs no case of its own.
 *
 * <p>Example: 1 ps + 2 workers run, and the directive says 2 ps + 1 worker. The newest worker is marked as leaving, a
 * container for a ps is requested and a process launched in it. Once that has connected, one resize adds it and removes
 * the worker. When the worker has left, its container is released.
 *
 * <p>Belongs to the owner thread.
 */
public final class PlanFollower {
    /** YARN confirms within seconds, but never for a container that a restarted ResourceManager has not heard of. */
    private static final Duration LONGEST_CONFIRMATION = Duration.ofMinutes(2);

    private final Containers containers;
    private final Coordinator coordinator;
    private final Listener listener;
    private final Allocation minimum;
    private final TaskTimeouts timeouts;
    private final TaskFailures failures;
    private final TaskMemory memory;
    private final JobTasks tasks;
    private final CurrentPlan plan = new CurrentPlan();
    private final TaskStarts starts;
    private final TaskStops stops;
    private final ResizeRequests resizes;
    private final TrainingMode mode;
    private final Stragglers stragglers;
    private long settledPlan = Long.MIN_VALUE;
    private boolean ended;

    /** A follower without a directive. */
    public PlanFollower(
            Job job,
            TaskTimeouts timeouts,
            FailureLimits limits,
            Containers containers,
            Coordinator coordinator,
            Listener listener) {
        LongSupplier clock = job.clock();
        this.containers = containers;
        this.coordinator = coordinator;
        this.listener = listener;
        this.minimum = job.minimum();
        this.timeouts = timeouts;
        this.memory = job.memory();
        this.failures = new TaskFailures(limits, job.retries(), memory::grows, clock);
        this.tasks = new JobTasks(job.attempt(), clock);
        ContainerRequests requests = new ContainerRequests(containers, timeouts.ask(), clock);
        UndecidedContainers undecided = new UndecidedContainers(timeouts.ask(), clock);
        this.starts = new TaskStarts(containers, coordinator, tasks, requests, undecided, timeouts.start());
        this.stops = new TaskStops(containers, coordinator, tasks, timeouts.leave(), clock);
        this.mode = job.mode();
        this.stragglers = new Stragglers(timeouts.straggle(), clock);
        this.resizes = new ResizeRequests(coordinator, tasks, minimum, timeouts.join(), clock);
    }

    /**
     * What the follower needs to know of the job.
     *
     * @param attempt number of the ApplicationMaster's attempt, from 1
     * @param minimum the fewest tasks that the job runs with
     * @param mode whether workers wait for each other
     * @param retries how often tasks of a role may fail before the job does
     * @param memory with how much memory tasks start
     * @param clock milliseconds since any moment, without time in which this process stood still and read no answers
     */
    public record Job(
            int attempt,
            Allocation minimum,
            TrainingMode mode,
            ToIntFunction<Role> retries,
            TaskMemory memory,
            LongSupplier clock) {}

    /** Receives the events of following the plan, for the journal, the page and the end of the job. */
    public interface Listener {
        /** A directive was taken. */
        void following(Directive directive);

        /** A task was launched in a container. */
        void taskStarted(TaskId task, TaskContainer container);

        /** The coordinator was asked for the membership {@code members} under the current directive. */
        void resizeRequested(Allocation from, Allocation to, SortedSet<TaskId> members, Directive directive);

        /** YARN did not allocate {@code count} containers in time; the requests are withdrawn for a while. */
        void requestUnmet(RoleOnNode key, int count);

        /** Tasks failed often on {@code nodes}: none is started there until the next call. */
        void avoiding(SortedSet<String> nodes);

        /** A task ended, whether it should have or not. */
        void taskGone(TaskId task);

        /** A task ended that should not have. */
        void taskLost(TaskId task, TaskContainer container, ContainerExit exit);

        /**
         * A worker is replaced because it is slow.
         *
         * @param slowness by what factor its steps take longer than if it were as fast as the median of the others
         */
        void stragglerFound(TaskId task, TaskContainer container, double slowness);

        /** Tasks of {@code role} start with {@code memoryMb} MiB from now on: with {@code beforeMb}, they ran out of memory. */
        void memoryRaised(Role role, long beforeMb, long memoryMb);

        /** A role has no retries left, so the job cannot go on. */
        void retriesUsedUp(String diagnostics);
    }

    /**
     * Takes a directive unless its plan is not newer than the current one.
     *
     * @return whether it was taken
     */
    public boolean follow(Directive next) {
        if (!plan.take(next)) {
            return false;
        }
        stops.keepAll();
        starts.renewRequests();
        listener.following(next);
        reconcile();
        return true;
    }

    /**
     * YARN allocated containers. Processes are launched in requested ones. Those that the scheduler requested wait for the
     * directive that names their node; the others go back, and those that were requested before tasks got more memory. Those
     * that the job has already are left alone, in case YARN names one again.
     */
    public void allocated(List<TaskContainer> allocated) {
        for (TaskContainer container : allocated) {
            if (has(container)) {
                continue;
            }
            if (ended || memory.isTooSmall(container)) {
                containers.release(container);
            } else {
                starts.allocated(directive(), container).ifPresent(task -> listener.taskStarted(task.id(), container));
            }
        }
        reconcile();
    }

    /**
     * Containers of earlier attempts run, on nodes that were lost or that a new ResourceManager did not know yet. Those that the
     * job has not taken over go back: training goes on without their tasks.
     */
    public void runEarlier(List<TaskContainer> earlier) {
        earlier.stream().filter(container -> !has(container)).forEach(containers::release);
    }

    private boolean has(TaskContainer container) {
        return tasks.inContainer(container.id()).isPresent() || starts.isUndecided(container.id());
    }

    /**
     * A task of an earlier attempt runs in {@code container}. It counts like one that was launched here, and has as long to
     * connect. No task is stopped before the first directive.
     */
    public void adopt(TaskId task, TaskContainer container) {
        tasks.adopt(task, container);
    }

    /** Containers ended, for any reason. */
    public void exited(List<ContainerExit> exits) {
        for (ContainerExit exit : exits) {
            starts.exited(exit.container());
            tasks.remove(exit.container())
                    .filter(task -> task.phase() != Phase.RELEASED)
                    .ifPresent(task -> lost(task, leftAsLost(task, exit) ? silent(task) : exit));
        }
        reconcile();
    }

    /** A lost task is told to leave. That it did so does not tell why it was lost. */
    private static boolean leftAsLost(JobTask task, ContainerExit exit) {
        return task.phase() == Phase.SILENT && exit.hasLeft();
    }

    private static ContainerExit silent(JobTask task) {
        return new ContainerExit(task.container().id(), ContainerExit.SILENT, task.lossReason());
    }

    /** A NodeManager refused to start the process. */
    public void launchFailed(String container, String why) {
        // A process that has connected runs, even where the NodeManager refuses a repeated call to start it.
        tasks.inContainer(container)
                .filter(task -> task.phase() == Phase.STARTING && !isConnected(task.id()))
                .ifPresent(task -> giveUp(task, ContainerExit.NEVER_STARTED, why));
        reconcile();
    }

    private boolean isConnected(TaskId task) {
        return coordinator.loadingTasks().contains(task)
                || coordinator.readyTasks().contains(task)
                || coordinator.status().tasks().containsKey(task);
    }

    /** The coordinator lost a task: it hung, or its connection broke. Its container's exit will tell why. */
    public void fellSilent(TaskId id, String why) {
        tasks.named(id)
                .filter(task -> task.phase().compareTo(Phase.SILENT) < 0)
                .ifPresent(task -> task.fallSilent(why));
        reconcile();
    }

    /** The task holds nothing any more and was told to end. */
    public void left(TaskId id) {
        stops.left(id);
        reconcile();
    }

    /** YARN wants containers back: their tasks leave without waiting for others. */
    public void preemptionRequested(Collection<String> wanted) {
        for (String container : wanted) {
            tasks.inContainer(container).filter(JobTask::stays).ifPresent(task -> {
                plan.preempted(task);
                if (task.isRequestedAsMember()) {
                    resizes.hurry();
                }
                stops.stop(task);
            });
        }
        reconcile();
    }

    /** Stops all tasks and releases their containers; nothing is requested any more. */
    public void end() {
        ended = true;
        containers.request(new TreeMap<>());
        starts.releaseUndecided();
        tasks.all().filter(task -> task.phase() != Phase.RELEASED).forEach(stops::release);
    }

    /**
     * Lets tasks of {@code role}, whose memory may grow, start with {@code neededMb} MiB, and replaces those that have less.
     *
     * @return false if YARN grants no container as large as that
     */
    public boolean needs(Role role, long neededMb) {
        if (neededMb > memory.mostMb()) {
            return false;
        }
        raise(role, memory.memoryMb(role), neededMb);
        List<JobTask> tooSmall = tasks.all()
                .filter(task -> task.role() == role && task.phase() != Phase.RELEASED)
                .filter(task -> task.container().memoryMb() < neededMb)
                .toList();
        tooSmall.forEach(task -> giveUp(task, ContainerExit.TOO_SMALL, neededMb + " MiB are needed"));
        reconcile();
        return true;
    }

    /** Number of tasks that stay, by role. */
    public Allocation staying() {
        return tasks.count(JobTask::stays);
    }

    /** The last plan that was carried out whole; negative before the first. */
    public long settledPlan() {
        return settledPlan;
    }

    public Directive directive() {
        return plan.directive();
    }

    /** YARN's ids of nodes where tasks failed so often that none is started there for now. */
    public SortedSet<String> avoidedNodes() {
        return failures.avoidedNodes();
    }

    /** All tasks that hold a container, oldest first. */
    public List<TaskView> tasks() {
        return tasks.views(coordinator.status());
    }

    /** The container of {@code task}; empty if it holds none. */
    public Optional<TaskContainer> containerOf(TaskId task) {
        return tasks.named(task).map(JobTask::container);
    }

    /** Whether the container of {@code task} is held and was not given back. */
    public boolean keeps(TaskId task) {
        return tasks.named(task)
                .filter(held -> held.phase() != JobTask.Phase.RELEASED)
                .isPresent();
    }

    /** Brings the job closer to its target. Called after each event, and when time has passed. */
    public void reconcile() {
        if (ended) {
            return;
        }
        if (trainingEnds()) {
            starts.withdraw();
            return;
        }
        if (starts.noticeConnected()) {
            failures.filesArrived();
        }
        if (directive().equals(Directive.NONE)) {
            return;
        }
        tasks.forgetReleased(LONGEST_CONFIRMATION);
        stops.stopSurplus(directive(), plan.target());
        stops.keepUpTo(directive(), plan.target());
        giveUpLate();
        replaceStraggler();
        avoidNodes();
        launchGuaranteed();
        requestMissing();
        requestResize();
        stops.releaseLeft(directive());
        noticeSettled();
    }

    private void giveUpLate() {
        for (JobTask task : starts.late()) {
            String why = "its process has not connected within "
                    + timeouts.start().toSeconds() + " s, or has not loaded its engine in time";
            giveUp(task, ContainerExit.NEVER_READY, why);
        }
        for (JobTask task : tasks.in(Phase.SILENT)) {
            if (task.isOlderThan(timeouts.exit())) {
                stops.release(task);
                lost(task, silent(task));
            }
        }
    }

    /**
     * The straggler leaves, and then its replacement starts in its place. The others do its part meanwhile; together they are
     * faster without it.
     */
    private void replaceStraggler() {
        stragglers.observe(coordinator.status(), mode).ifPresent(found -> tasks.named(found.task())
                .filter(task -> task.phase() == Phase.READY && task.isRequestedAsMember())
                .ifPresent(task -> replace(task, found)));
    }

    private void replace(JobTask task, Straggler found) {
        task.replace();
        String why = "its steps took " + Math.round(10 * found.slowness()) / 10.0
                + " times as long as with a worker like the others";
        failures.straggled(task, new ContainerExit(task.container().id(), ContainerExit.STRAGGLER, why));
        listener.stragglerFound(task.id(), task.container(), found.slowness());
    }

    private void avoidNodes() {
        if (failures.updateAvoidedNodes(!minimum.isWithin(staying()))) {
            containers.avoid(avoidedNodes());
            listener.avoiding(avoidedNodes());
        }
    }

    private void launchGuaranteed() {
        starts.launchGuaranteed(directive(), plan.target())
                .forEach(task -> listener.taskStarted(task.id(), task.container()));
    }

    private void requestMissing() {
        starts.requestMissing(directive(), plan.target(), avoidedNodes()).forEach((key, count) -> {
            failures.unmet(key.node().id());
            listener.requestUnmet(key, count);
        });
    }

    private void requestResize() {
        resizes.update(directive(), starts.arePending())
                .ifPresent(request ->
                        listener.resizeRequested(request.from(), request.to(), request.members(), directive()));
    }

    private void noticeSettled() {
        long members = coordinator.status().tasks().values().stream()
                .filter(TaskStatus::member)
                .count();
        Allocation target = directive().total();
        boolean allReady = tasks.all().allMatch(task -> task.phase() == Phase.READY);
        if (members == target.tasks() && allReady && staying().equals(target)) {
            settledPlan = directive().plan();
        }
    }

    private boolean trainingEnds() {
        return switch (coordinator.status().state()) {
            case WAITING, STEPPING, SWITCHING -> false;
            case ENDING, ENDED -> true;
        };
    }

    private void giveUp(JobTask task, int status, String why) {
        stops.release(task);
        lost(task, new ContainerExit(task.container().id(), status, why));
    }

    /** A task that had reached this process and lost it is at no fault; one that never reached it may not be able to. */
    private static boolean lostCoordinator(JobTask task, ContainerExit exit) {
        return exit.status() == TaskExit.COORDINATOR_LOST && task.wasReady();
    }

    private void lost(JobTask task, ContainerExit exit) {
        task.requestAsMember(false);
        coordinator.taskLost(task.id(), "container ended with status " + exit.status() + ": " + exit.diagnostics());
        listener.taskGone(task.id());
        if (task.isSurplus() || trainingEnds()) {
            return;
        }
        listener.taskLost(task.id(), task.container(), exit.because(task.lossReason()));
        if (exit.preempted()) {
            plan.preempted(task);
        } else if (exit.taskFailed() && !lostCoordinator(task, exit) && !startsWithMore(task, exit)) {
            failures.record(task, withLimit(task, exit)).ifPresent(listener::retriesUsedUp);
        }
    }

    /** Whether the task ran out of memory and starts again with more. */
    private boolean startsWithMore(JobTask task, ContainerExit exit) {
        long had = task.container().memoryMb();
        return exit.isOutOfMemory() && raise(task.role(), had, TaskContainer.more(had));
    }

    private boolean raise(Role role, long hadMb, long neededMb) {
        long before = memory.memoryMb(role);
        boolean more = memory.raise(role, hadMb, neededMb);
        if (memory.memoryMb(role) > before) {
            listener.memoryRaised(role, before, memory.memoryMb(role));
        }
        return more;
    }

    /** Says why a task that ran out of memory gets no more, if its memory may grow. */
    private ContainerExit withLimit(JobTask task, ContainerExit exit) {
        return exit.isOutOfMemory() && memory.grows(task.role())
                ? exit.because("YARN grants no container of more than " + memory.mostMb() + " MiB in this queue")
                : exit;
    }
}
