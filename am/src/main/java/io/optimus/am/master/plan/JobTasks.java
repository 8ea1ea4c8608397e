package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All containers that the job holds, released ones included until YARN confirms their end. */
public final class JobTasks {
    /** Far more tasks than an attempt starts, replacements included. */
    private static final int INDICES_PER_ATTEMPT = 1_000_000;

    private final Map<String, JobTask> byContainer = new TreeMap<>();
    private final Map<Role, Integer> next = new EnumMap<>(Role.class);
    private final int firstIndex;
    private int count;

    /** No tasks yet; {@code attempt} (from 1) keeps their indices apart from those of earlier attempts. */
    public JobTasks(int attempt) {
        this.firstIndex = (attempt - 1) * INDICES_PER_ATTEMPT;
    }

    /** A new task in {@code grant}. */
    public JobTask add(TaskContainer grant, long nowMillis) {
        int index = next.merge(grant.role(), firstIndex + 1, (last, first) -> last + 1) - 1;
        JobTask task = new JobTask(new TaskId(grant.role(), index), count++, grant, nowMillis);
        byContainer.put(grant.container(), task);
        return task;
    }

    /** Forgets the task of a container that ended. */
    Optional<JobTask> remove(String container) {
        return Optional.ofNullable(byContainer.remove(container));
    }

    Optional<JobTask> inContainer(String container) {
        return Optional.ofNullable(byContainer.get(container));
    }

    Optional<JobTask> named(TaskId id) {
        return all().filter(task -> task.id().equals(id)).findFirst();
    }

    /** Oldest first. */
    public Stream<JobTask> all() {
        return byContainer.values().stream().sorted(Comparator.comparingInt(JobTask::number));
    }

    /** Oldest first; a copy. */
    public List<JobTask> in(JobTask.Phase phase) {
        return all().filter(task -> task.phase() == phase).toList();
    }

    /** Tasks that stay, by seat; oldest first. */
    SortedMap<RoleOnNode, List<JobTask>> staying(Directive directive) {
        return bySeat(directive, JobTask::stays);
    }

    /** How many containers count against the plan's ceiling: all until YARN confirms their end. */
    int held(Directive directive, RoleOnNode seat) {
        return bySeat(directive, task -> true).getOrDefault(seat, List.of()).size();
    }

    /** How many of {@code ids} each role has. */
    Allocation count(Collection<TaskId> ids) {
        return all().filter(task -> ids.contains(task.id()))
                .reduce(Allocation.NONE, (sum, task) -> sum.plus(task.role(), 1), Allocation::plus);
    }

    private SortedMap<RoleOnNode, List<JobTask>> bySeat(Directive directive, Predicate<JobTask> which) {
        SortedMap<RoleOnNode, List<JobTask>> seats = new TreeMap<>();
        all().filter(which).forEach(task -> seats.computeIfAbsent(seat(directive, task), seat -> new ArrayList<>())
                .add(task));
        return seats;
    }

    static RoleOnNode seat(Directive directive, JobTask task) {
        return new RoleOnNode(task.role(), directive.placeOf(task.grant().node()));
    }
}
