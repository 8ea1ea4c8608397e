package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import io.optimus.am.master.yarn.TaskContainer;
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
 * @param target tasks by node that can hold now; empty for a job that waits
 * @param planned allocation that the plan aims at once all jobs have shrunk as planned
 * @param reason why the job has this allocation, in words
 * @param exploring whether the allocation was chosen to learn the speed function
 * @param graceMillis time after which a shrink is enforced; empty if nothing is to be released
 * @param remaining predicted time to the end of the training
 */
public record Directive(
        long plan,
        SortedMap<TargetNode, Allocation> target,
        Allocation planned,
        String reason,
        boolean exploring,
        OptionalLong graceMillis,
        Remaining remaining) {
    /** The directive before the first plan: nothing may be requested. */
    public static final Directive NONE = new Directive(
            Long.MIN_VALUE,
            new TreeMap<>(),
            Allocation.NONE,
            "waits for the scheduler's first plan",
            false,
            OptionalLong.empty(),
            Remaining.UNKNOWN);

    public Directive {
        target = Collections.unmodifiableSortedMap(new TreeMap<>(target));
    }

    /**
     * Predicted time to the end of the training.
     *
     * @param seconds the prediction; empty while unknown or vague
     * @param inWords the same in words, perhaps a range; empty while unknown
     */
    public record Remaining(OptionalDouble seconds, Optional<String> inWords) {
        static final Remaining UNKNOWN = new Remaining(OptionalDouble.empty(), Optional.empty());
    }

    /** The directive of a job that sizes itself: {@code size} tasks on any nodes. */
    public static Directive onAnyNode(long plan, Allocation size, String reason) {
        return new Directive(
                plan,
                new TreeMap<>(Map.of(TargetNode.ANY, size)),
                size,
                reason,
                false,
                OptionalLong.empty(),
                Remaining.UNKNOWN);
    }

    public Directive withReason(String other) {
        return new Directive(plan, target, planned, other, exploring, graceMillis, remaining);
    }

    /** Whether the scheduler's plan binds tasks to nodes; otherwise the job sizes itself. */
    public boolean pinned() {
        return !target.containsKey(TargetNode.ANY);
    }

    /** Number of the scheduler's plan; 0 if there is none yet or the job sizes itself. */
    public long schedulerPlan() {
        return pinned() ? Math.max(0, plan) : 0;
    }

    /** Target of all nodes together. */
    public Allocation total() {
        return target.values().stream().reduce(Allocation.NONE, Allocation::plus);
    }

    /** Number of tasks by role and node, without zeros. */
    SortedMap<RoleOnNode, Integer> tasks() {
        SortedMap<RoleOnNode, Integer> tasks = new TreeMap<>();
        target.forEach((node, allocation) -> {
            for (Role role : Role.values()) {
                if (allocation.count(role) > 0) {
                    tasks.put(new RoleOnNode(role, node), allocation.count(role));
                }
            }
        });
        return tasks;
    }

    /** The entry of {@link #tasks} that a container counts for. */
    RoleOnNode keyOf(TaskContainer container) {
        String node = container.node();
        return new RoleOnNode(container.role(), pinned() ? new TargetNode(node, node) : TargetNode.ANY);
    }
}
