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
 * Who takes part, and who holds what.
 *
 * @param number of the membership
 * @param workers by rank
 * @param servers what each holds; together the whole flat vector
 */
public record Membership(MembershipNumber number, List<TaskId> workers, SortedMap<TaskId, Ranges> servers) {
    public Membership {
        workers = List.copyOf(workers);
        servers = Collections.unmodifiableSortedMap(new TreeMap<>(servers));
    }

    static Membership none(int attempt) {
        return new Membership(new MembershipNumber(attempt, 0), List.of(), new TreeMap<>());
    }

    public Allocation allocation() {
        return new Allocation(servers.size(), workers.size());
    }

    SortedSet<TaskId> members() {
        SortedSet<TaskId> members = new TreeSet<>(workers);
        members.addAll(servers.keySet());
        return members;
    }

    boolean has(TaskId task) {
        return workers.contains(task) || servers.containsKey(task);
    }

    public static SortedSet<TaskId> ofRole(Collection<TaskId> tasks, Role role) {
        SortedSet<TaskId> some = new TreeSet<>(tasks);
        some.removeIf(task -> task.role() != role);
        return some;
    }

    public static Allocation allocationOf(Collection<TaskId> tasks) {
        return new Allocation(
                ofRole(tasks, Role.PARAMETER_SERVER).size(),
                ofRole(tasks, Role.WORKER).size());
    }
}
