package io.optimus.am.master.plan;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.master.plan.JobTask.Phase;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * How missing tasks start: a container is requested, a process is launched in it, and once the process has connected the
 * task is ready to be a member. A container that was not requested goes back, except one that the scheduler requested: it
 * waits for the directive that names its node.
 */
final class TaskStarts {
    /** An owner's program may take 30 minutes until its first batch; the worker itself ends a slower one, and says why. */
    private static final Duration LONGEST_LOAD = Duration.ofMinutes(35);

    private final Containers containers;
    private final Coordinator coordinator;
    private final JobTasks tasks;
    private final ContainerRequests requests;
    private final UndecidedContainers undecided;
    private final Duration startTimeout;

    TaskStarts(
            Containers containers,
            Coordinator coordinator,
            JobTasks tasks,
            ContainerRequests requests,
            UndecidedContainers undecided,
            Duration startTimeout) {
        this.containers = containers;
        this.coordinator = coordinator;
        this.tasks = tasks;
        this.requests = requests;
        this.undecided = undecided;
        this.startTimeout = startTimeout;
    }

    /** A new plan: requests are withdrawn and sent again. */
    void renewRequests() {
        requests.renew();
    }

    /** YARN allocated a container. Returns the task that was launched in it; empty if it was not requested. */
    Optional<JobTask> allocated(Directive directive, TaskContainer container) {
        if (requests.met(directive.keyOf(container))) {
            return Optional.of(launch(container));
        }
        if (container.guaranteed()) {
            undecided.add(container);
        } else {
            containers.release(container);
        }
        return Optional.empty();
    }

    /**
     * Decides about containers that the scheduler requested: launches tasks in those that {@code target} has, and releases
     * those that no directive has named in time.
     *
     * @return the tasks that were launched
     */
    List<JobTask> launchGuaranteed(Directive directive, SortedMap<RoleOnNode, Integer> target) {
        List<JobTask> launched = new ArrayList<>();
        undecided.take(container -> {
            RoleOnNode key = directive.keyOf(container);
            boolean wanted = tasks.held(directive, key) < target.getOrDefault(key, 0);
            if (wanted) {
                launched.add(launch(container));
            }
            return wanted;
        });
        undecided.takeLate().forEach(containers::release);
        return launched;
    }

    /** Whether a container waits for the directive that names its node. */
    boolean isUndecided(String id) {
        return undecided.contains(id);
    }

    /** A container ended. */
    void exited(String id) {
        undecided.take(container -> container.id().equals(id));
    }

    /** No task is to start for now: nothing is requested, and containers without a task go back. */
    void withdraw() {
        requests.update(new TreeMap<>());
        releaseUndecided();
    }

    /** The job ends: containers without a task go back. */
    void releaseUndecided() {
        undecided.take(container -> true).forEach(containers::release);
    }

    private JobTask launch(TaskContainer container) {
        JobTask task = tasks.add(container);
        containers.launch(task.id(), container);
        return task;
    }

    /**
     * Marks tasks as ready whose process has connected. One of an earlier attempt may be a member already.
     *
     * @return whether there were any
     */
    boolean noticeConnected() {
        Map<TaskId, TaskStatus> connected = coordinator.status().tasks();
        Set<TaskId> ready = coordinator.readyTasks();
        boolean any = false;
        for (JobTask task : tasks.in(Phase.STARTING)) {
            TaskStatus status = connected.get(task.id());
            boolean member = status != null && status.member();
            if (member || ready.contains(task.id())) {
                task.enter(Phase.READY);
                task.requestAsMember(member);
                any = true;
            }
        }
        return any;
    }

    /** Tasks whose process should have connected by now, or should have loaded its engine, oldest first. */
    List<JobTask> late() {
        Set<TaskId> loading = coordinator.loadingTasks();
        return tasks.in(Phase.STARTING).stream()
                .filter(task -> task.isOlderThan(loading.contains(task.id()) ? LONGEST_LOAD : startTimeout))
                .toList();
    }

    /**
     * Requests the containers that {@code target} has and the job does not, except on avoided nodes.
     *
     * @return requests that YARN has not met in time
     */
    SortedMap<RoleOnNode, Integer> requestMissing(
            Directive directive, SortedMap<RoleOnNode, Integer> target, SortedSet<String> avoidedNodes) {
        SortedMap<RoleOnNode, Integer> missing = new TreeMap<>();
        target.forEach((key, count) -> {
            int lacking = count - tasks.held(directive, key);
            if (lacking > 0 && !avoidedNodes.contains(key.node().id())) {
                missing.put(key, lacking);
            }
        });
        return requests.update(missing);
    }

    /** Whether requested containers or launched processes have not come yet. */
    boolean arePending() {
        return requests.arePending() || !tasks.in(Phase.STARTING).isEmpty();
    }
}
