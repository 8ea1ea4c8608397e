package io.optimus.am.master.plan;

import io.optimus.am.configuration.MasterSettings;
import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.master.plan.JobTask.Phase;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.master.yarn.TaskLauncher;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Makes the job what its directive says, step by step, and starts over from what is there whenever something changes.
 *
 * <p>Every event leads to the same five questions: who has connected, which tasks are too many, which have taken too
 * long, what is to be asked of YARN, and which membership the training shall have. So a newer directive, a lost
 * container or a preemption in the middle of a resize needs no case of its own.
 *
 * <p>Example: 1 ps + 2 workers run, and the directive says 2 ps + 1 worker. The newest worker is marked to leave, a
 * container for a ps is asked for and a process launched in it; when it has connected, one resize brings it in and takes
 * the worker out; when the worker has left, its container is released.
 *
 * <p>Belongs to the owner thread.
 */
public final class PlanFollower {
    private final Containers containers;
    private final Coordinator coordinator;
    private final TaskFailures failures;
    private final NodeAvoidance avoidance;
    private final Allocation minimum;
    private final FollowerEvents events;
    private final MasterSettings settings;
    private final LongSupplier clock;

    private final JobTasks tasks;
    private final CurrentPlan allowance = new CurrentPlan();
    private final TaskStarts arrivals;
    private final ResizeRequests membership;
    private final TaskStops departures;

    private long settledPlan = Long.MIN_VALUE;
    private boolean ended;

    public PlanFollower(
            Containers containers,
            TaskLauncher launcher,
            Coordinator coordinator,
            TaskFailures failures,
            FollowerEvents events,
            MasterSettings settings,
            Allocation minimum,
            int attempt,
            LongSupplier clock) {
        this.containers = containers;
        this.coordinator = coordinator;
        this.failures = failures;
        this.avoidance =
                new NodeAvoidance(containers, failures, settings.nodes().backOff());
        this.minimum = minimum;
        this.events = events;
        this.settings = settings;
        this.clock = clock;
        this.tasks = new JobTasks(attempt);
        this.arrivals = new TaskStarts(
                containers,
                launcher,
                coordinator,
                tasks,
                settings.tasks().ask(),
                settings.tasks().start());
        this.membership =
                new ResizeRequests(coordinator, tasks, minimum, settings.tasks().join());
        this.departures = new TaskStops(
                containers,
                launcher,
                coordinator,
                tasks,
                membership,
                settings.tasks().leave(),
                clock);
    }

    /**
     * Takes up a directive, unless it is of an older plan; one of the same plan brings news of its prediction only.
     *
     * @return whether it was taken up
     */
    public boolean follow(Directive next) {
        if (!allowance.takeUp(next)) {
            return false;
        }
        departures.keepAll();
        arrivals.renew();
        events.following(next);
        reconcile();
        return true;
    }

    /** Containers were given: those that were asked for are put to use, the others go back. */
    public void granted(List<TaskContainer> grants) {
        for (TaskContainer grant : grants) {
            if (ended) {
                containers.release(grant.container());
            } else {
                arrivals.granted(directive(), grant, clock.getAsLong()).ifPresent(events::started);
            }
        }
        reconcile();
    }

    /** Containers ended, with or without our doing. */
    public void exited(List<ContainerExit> exits) {
        for (ContainerExit exit : exits) {
            tasks.remove(exit.container())
                    .filter(task -> task.phase() != Phase.RELEASED)
                    .ifPresent(task -> lost(task, exit));
        }
        reconcile();
    }

    /** The NodeManager refused to start the process. */
    public void launchFailed(String container, String why) {
        tasks.inContainer(container)
                .filter(JobTask::stays)
                .ifPresent(task -> broken(task, ContainerExit.NEVER_STARTED, why));
        reconcile();
    }

    /** The coordinator gave a task up: it hung, or its connection broke. How its container ends will say more. */
    public void silent(TaskId id, String why) {
        tasks.named(id).filter(task -> task.phase().compareTo(Phase.SILENT) < 0).ifPresent(task -> {
            membership.forget(id);
            task.silence(why, clock.getAsLong());
        });
        reconcile();
    }

    /** The task holds nothing any more and was told to end. */
    public void left(TaskId id) {
        departures.left(id);
        reconcile();
    }

    /** YARN wants containers back: they leave without waiting for anything. */
    public void preempted(Collection<String> wanted) {
        for (String container : wanted) {
            tasks.inContainer(container).filter(JobTask::stays).ifPresent(task -> {
                allowance.forgo(task);
                if (membership.contains(task.id())) {
                    membership.hurry();
                }
                departures.giveUp(task);
            });
        }
        reconcile();
    }

    /** Time has passed, or a task has connected or left. */
    public void look() {
        reconcile();
    }

    /** Gives everything back; nothing is asked for any more. */
    public void end() {
        ended = true;
        containers.ask(new TreeMap<>());
        tasks.all().filter(task -> task.phase() != Phase.RELEASED).forEach(departures::giveBack);
    }

    /** Tasks that are there to stay, by role. */
    public Allocation staying() {
        return tasks.all()
                .filter(JobTask::stays)
                .reduce(Allocation.NONE, (sum, task) -> sum.plus(task.role(), 1), Allocation::plus);
    }

    /** The last plan that was carried out whole; the smallest number there is before the first. */
    public long settledPlan() {
        return settledPlan;
    }

    public Directive directive() {
        return allowance.directive();
    }

    /** YARN's ids of nodes where tasks failed so often that none is started there for now. */
    public SortedSet<String> avoidedNodes() {
        return avoidance.nodes();
    }

    public JobTasks tasks() {
        return tasks;
    }

    private void reconcile() {
        if (ended || trainingEnds()) {
            return;
        }
        long now = clock.getAsLong();
        arrivals.noticeConnected(now);
        departures.giveUpSurplus(directive(), allowance.seats());
        departures.keepUpTo(directive(), allowance.seats());
        giveUpLate(now);
        avoidNodes(now);
        askForMissing(now);
        resize(now);
        departures.finish(directive());
        noticeSettled();
    }

    private void noticeSettled() {
        boolean allMembers = coordinator.status().tasks().values().stream()
                        .filter(TaskStatus::member)
                        .count()
                == directive().total().tasks();
        boolean nobodyElse = tasks.all().allMatch(task -> task.phase() == Phase.READY);
        if (allMembers && nobodyElse && staying().equals(directive().total())) {
            settledPlan = directive().plan();
        }
    }

    private void giveUpLate(long now) {
        for (JobTask task : arrivals.late(now)) {
            String why = "its process has not connected within "
                    + settings.tasks().start().toSeconds() + " s";
            broken(task, ContainerExit.NEVER_READY, why);
        }
        for (JobTask task : tasks.in(Phase.SILENT)) {
            if (task.hasBeenLongerThan(settings.tasks().exit(), now)) {
                broken(task, ContainerExit.SILENT, task.silence());
            }
        }
    }

    private void avoidNodes(long now) {
        if (avoidance.update(!minimum.isWithin(staying()), now)) {
            events.avoiding(avoidance.nodes());
        }
    }

    private void askForMissing(long now) {
        arrivals.askForMissing(directive(), allowance.seats(), avoidance.nodes(), now)
                .forEach((seat, count) -> {
                    failures.unmet(seat.place().node(), now);
                    events.unmet(seat, count);
                });
    }

    private void resize(long now) {
        membership.next(directive(), arrivals.someAreComing(), now).ifPresent(change -> {
            departures.told();
            events.resizing(change.from(), change.to(), change.members(), directive());
        });
    }

    private boolean trainingEnds() {
        return switch (coordinator.status().state()) {
            case WAITING, STEPPING, SWITCHING -> false;
            case ENDING, ENDED -> true;
        };
    }

    private void broken(JobTask task, int status, String why) {
        departures.giveBack(task);
        lost(task, new ContainerExit(task.grant().container(), status, why));
    }

    private void lost(JobTask task, ContainerExit exit) {
        membership.forget(task.id());
        coordinator.taskLost(task.id(), "container ended with status " + exit.status() + ": " + exit.diagnostics());
        if (task.isTooMany() || trainingEnds()) {
            return;
        }
        events.lost(task, exit);
        if (exit.preempted()) {
            allowance.forgo(task);
        } else if (exit.taskFailed()) {
            failures.record(task, exit, clock.getAsLong()).ifPresent(events::failed);
        }
    }
}
