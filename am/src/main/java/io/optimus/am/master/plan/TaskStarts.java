package io.optimus.am.master.plan;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.master.plan.JobTask.Phase;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.master.yarn.TaskLauncher;
import io.optimus.am.wire.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * How missing tasks come: YARN is asked for a container, a process is launched in the one that it gives, and once that
 * has connected the task is ready to be a member. A container that was not asked for goes back.
 *
 * <p>Belongs to the owner thread.
 */
final class TaskStarts {
    private final Containers containers;
    private final TaskLauncher launcher;
    private final Coordinator coordinator;
    private final JobTasks tasks;
    private final ContainerRequests asks;
    private final Duration startTimeout;

    TaskStarts(
            Containers containers,
            TaskLauncher launcher,
            Coordinator coordinator,
            JobTasks tasks,
            Duration askTimeout,
            Duration startTimeout) {
        this.containers = containers;
        this.launcher = launcher;
        this.coordinator = coordinator;
        this.tasks = tasks;
        this.asks = new ContainerRequests(containers, askTimeout);
        this.startTimeout = startTimeout;
    }

    /** A new plan: what is asked for is withdrawn and asked for anew. */
    void renew() {
        asks.renew();
    }

    /** A container was given: the task that it is for; empty if none is. */
    Optional<JobTask> granted(Directive directive, TaskContainer grant, long nowMillis) {
        if (!asks.met(new RoleOnNode(grant.role(), directive.placeOf(grant.node())))) {
            containers.release(grant.container());
            return Optional.empty();
        }
        JobTask task = tasks.add(grant, nowMillis);
        launcher.launch(task.id(), grant);
        return Optional.of(task);
    }

    /** Sees whose process has connected. */
    void noticeConnected(long nowMillis) {
        Map<TaskId, TaskStatus> connected = coordinator.status().tasks();
        Set<TaskId> ready = coordinator.readyTasks();
        for (JobTask task : tasks.in(Phase.STARTING)) {
            TaskStatus status = connected.get(task.id());
            if (ready.contains(task.id()) || (status != null && status.member())) {
                task.enter(Phase.READY, nowMillis);
            }
        }
    }

    /** Whose process should have connected by now, oldest first. */
    List<JobTask> late(long nowMillis) {
        return tasks.in(Phase.STARTING).stream()
                .filter(task -> task.hasBeenLongerThan(startTimeout, nowMillis))
                .toList();
    }

    /**
     * Asks for what lacks of {@code allowed}, but nothing on nodes that are avoided.
     *
     * @return seats that YARN has given nothing for in time
     */
    SortedMap<RoleOnNode, Integer> askForMissing(
            Directive directive,
            SortedMap<RoleOnNode, Integer> allowed,
            SortedSet<String> avoidedNodes,
            long nowMillis) {
        SortedMap<RoleOnNode, Integer> missing = new TreeMap<>();
        allowed.forEach((seat, count) -> {
            int lacking = count - tasks.held(directive, seat);
            if (lacking > 0 && !avoidedNodes.contains(seat.place().node())) {
                missing.put(seat, lacking);
            }
        });
        return asks.ask(missing, nowMillis);
    }

    /** Whether containers or processes are still on their way. */
    boolean someAreComing() {
        return !asks.pending().isEmpty() || !tasks.in(Phase.STARTING).isEmpty();
    }
}
