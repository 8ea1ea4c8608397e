package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * This job's part of a plan.
 *
 * @param plan number of the plan; rises
 * @param target where the tasks shall be, by place; empty for a job that waits
 * @param reason why, in words
 * @param exploring whether the size was chosen to learn the speed function
 * @param graceMillis after which a shrink is enforced; empty when there is nothing to give up
 * @param remainingSeconds predicted time to the end; empty while unknown or vague
 * @param remainingTime the same in words, perhaps a range; empty while unknown
 * @param planned what the plan aims at once everybody's shrinks are done
 */
public record Directive(
        long plan,
        SortedMap<TargetNode, Allocation> target,
        String reason,
        boolean exploring,
        OptionalLong graceMillis,
        OptionalDouble remainingSeconds,
        Optional<String> remainingTime,
        Allocation planned) {

    /** Before the first directive: nothing may be asked for. */
    public static final Directive NONE = new Directive(
            Long.MIN_VALUE,
            new TreeMap<>(),
            "waiting for the scheduler's first plan",
            false,
            OptionalLong.empty(),
            OptionalDouble.empty(),
            Optional.empty(),
            Allocation.NONE);

    public Directive {
        target = Collections.unmodifiableSortedMap(new TreeMap<>(target));
    }

    /** Of a job that sizes itself: so many tasks, wherever YARN gives room. */
    public static Directive anywhere(long plan, Allocation size, String reason) {
        return new Directive(
                plan,
                new TreeMap<>(Map.of(TargetNode.ANYWHERE, size)),
                reason,
                false,
                OptionalLong.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                size);
    }

    /** The same, aiming at {@code goal}. */
    public Directive planning(Allocation goal) {
        return new Directive(plan, target, reason, exploring, graceMillis, remainingSeconds, remainingTime, goal);
    }

    /** The same, for another reason. */
    public Directive because(String why) {
        return new Directive(plan, target, why, exploring, graceMillis, remainingSeconds, remainingTime, planned);
    }

    /** Whether tasks are bound to the nodes of a plan. */
    public boolean pinned() {
        return !target.containsKey(TargetNode.ANYWHERE);
    }

    /** Tasks of all places. */
    public Allocation total() {
        return target.values().stream().reduce(Allocation.NONE, Allocation::plus);
    }

    /** Tasks by seat, without zeros. */
    SortedMap<RoleOnNode, Integer> seats() {
        TreeMap<RoleOnNode, Integer> seats = new TreeMap<>();
        target.forEach((place, allocation) -> {
            for (Role role : Role.values()) {
                if (allocation.count(role) > 0) {
                    seats.put(new RoleOnNode(role, place), allocation.count(role));
                }
            }
        });
        return seats;
    }

    /** Where a task on {@code node} counts. */
    TargetNode placeOf(String node) {
        return pinned() ? new TargetNode(node, node) : TargetNode.ANYWHERE;
    }
}
