package io.optimus.am.membership;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The tasks that train together, and the parameters that each server holds.
 *
 * @param number of the membership
 * @param workers by rank
 * @param servers the shard of each; together the whole flat vector
 */
public record Membership(MembershipNumber number, List<TaskId> workers, SortedMap<TaskId, Ranges> servers) {
    public Membership {
        workers = List.copyOf(workers);
        servers = Collections.unmodifiableSortedMap(new TreeMap<>(servers));
    }

    static Membership none(int attempt) {
        return new Membership(new MembershipNumber(attempt, 0), List.of(), new TreeMap<>());
    }

    /** The same number without a member. */
    Membership dissolved() {
        return new Membership(number, List.of(), new TreeMap<>());
    }

    Membership without(Collection<TaskId> lostWorkers) {
        List<TaskId> left =
                workers.stream().filter(worker -> !lostWorkers.contains(worker)).toList();
        return new Membership(number, left, servers);
    }

    /** The number of its tasks. */
    public Allocation allocation() {
        return new Allocation(servers.size(), workers.size());
    }

    /** Its tasks, in a set of its own. */
    public SortedSet<TaskId> members() {
        SortedSet<TaskId> members = new TreeSet<>(workers);
        members.addAll(servers.keySet());
        return members;
    }

    boolean has(TaskId task) {
        return workers.contains(task) || serves(task);
    }

    boolean serves(TaskId task) {
        return servers.containsKey(task);
    }

    /** The workers among {@code tasks}, in a set of their own. */
    public static SortedSet<TaskId> workers(Collection<TaskId> tasks) {
        return ofRole(tasks, Role.WORKER);
    }

    /** The parameter servers among {@code tasks}, in a set of their own. */
    static SortedSet<TaskId> servers(Collection<TaskId> tasks) {
        return ofRole(tasks, Role.PARAMETER_SERVER);
    }

    private static SortedSet<TaskId> ofRole(Collection<TaskId> tasks, Role role) {
        SortedSet<TaskId> some = new TreeSet<>(tasks);
        some.removeIf(task -> task.role() != role);
        return some;
    }
}
