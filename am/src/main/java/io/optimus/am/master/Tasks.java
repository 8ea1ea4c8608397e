package io.optimus.am.master;

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
final class Tasks {
    /** Far more tasks than an attempt starts, replacements included. */
    private static final int INDICES_PER_ATTEMPT = 1_000_000;

    private final Map<String, Task> byContainer = new TreeMap<>();
    private final Map<Role, Integer> next = new EnumMap<>(Role.class);
    private final int firstIndex;
    private int count;

    /** No tasks yet; {@code attempt} (from 1) keeps their indices apart from those of earlier attempts. */
    Tasks(int attempt) {
        this.firstIndex = (attempt - 1) * INDICES_PER_ATTEMPT;
    }

    /** A new task in {@code grant}. */
    Task add(Grant grant, long nowMillis) {
        int index = next.merge(grant.role(), firstIndex + 1, (last, first) -> last + 1) - 1;
        Task task = new Task(new TaskId(grant.role(), index), count++, grant, nowMillis);
        byContainer.put(grant.container(), task);
        return task;
    }

    /** Forgets the task of a container that ended. */
    Optional<Task> remove(String container) {
        return Optional.ofNullable(byContainer.remove(container));
    }

    Optional<Task> inContainer(String container) {
        return Optional.ofNullable(byContainer.get(container));
    }

    Optional<Task> named(TaskId id) {
        return all().filter(task -> task.id().equals(id)).findFirst();
    }

    /** Oldest first. */
    Stream<Task> all() {
        return byContainer.values().stream().sorted(Comparator.comparingInt(Task::number));
    }

    /** Oldest first; a copy. */
    List<Task> in(Task.Phase phase) {
        return all().filter(task -> task.phase() == phase).toList();
    }

    /** Tasks that stay, by seat; oldest first. */
    SortedMap<Seat, List<Task>> staying(Directive directive) {
        return bySeat(directive, Task::stays);
    }

    /** How many containers count against the plan's ceiling: all until YARN confirms their end. */
    int held(Directive directive, Seat seat) {
        return bySeat(directive, task -> true).getOrDefault(seat, List.of()).size();
    }

    /** How many of {@code ids} each role has. */
    Allocation count(Collection<TaskId> ids) {
        return all().filter(task -> ids.contains(task.id()))
                .reduce(Allocation.NONE, (sum, task) -> sum.plus(task.role(), 1), Allocation::plus);
    }

    private SortedMap<Seat, List<Task>> bySeat(Directive directive, Predicate<Task> which) {
        SortedMap<Seat, List<Task>> seats = new TreeMap<>();
        all().filter(which).forEach(task -> seats.computeIfAbsent(seat(directive, task), seat -> new ArrayList<>())
                .add(task));
        return seats;
    }

    static Seat seat(Directive directive, Task task) {
        return new Seat(task.role(), directive.placeOf(task.grant().node()));
    }
}
