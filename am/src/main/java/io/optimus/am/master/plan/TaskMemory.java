package io.optimus.am.master.plan;

import io.optimus.am.job.JobSpec;
import io.optimus.am.job.RoleSpec;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import java.util.EnumMap;
import java.util.Map;

/**
 * The memory with which tasks of each role start: that of the job file, or more for a role with {@code memory: auto} whose
 * tasks ran out of memory. Tasks that run keep what they have.
 *
 * <p>Example: workers have 1,024 MiB, and one runs out of memory. It starts again with 1,536 MiB. If that does not suffice
 * either, and YARN grants no container of more than 2,048 MiB in the queue, the next one has these.
 *
 * <p>Belongs to the owner thread.
 */
public final class TaskMemory {
    private final JobSpec spec;
    private final Containers containers;
    private final Map<Role, Long> raised = new EnumMap<>(Role.class);

    /** Tasks start as the job file says. */
    public TaskMemory(JobSpec spec, Containers containers) {
        this.spec = spec;
        this.containers = containers;
    }

    /** Resources of a task of {@code role} that starts now. */
    public Resources task(Role role) {
        Resources asked = spec.role(role).task();
        long more = memoryMb(role) - asked.amount(Resources.MEMORY_MB);
        return asked.plus(Resources.of(Map.of(Resources.MEMORY_MB, more)));
    }

    /** Memory of a task of {@code role} that starts now, MiB. */
    long memoryMb(Role role) {
        return raised.getOrDefault(role, spec.role(role).task().amount(Resources.MEMORY_MB));
    }

    /** Whether tasks of {@code role} may get more than the job file says. */
    public boolean grows(Role role) {
        return spec.role(role).memory() == RoleSpec.Memory.AUTO;
    }

    /** What YARN grants at most, MiB. */
    public long mostMb() {
        return containers.mostMemoryMb();
    }

    /**
     * Lets tasks of {@code role} start with {@code neededMb}, or with as much as YARN grants, unless they have more already.
     *
     * @return whether tasks start with more than {@code hadMb} now
     */
    boolean raise(Role role, long hadMb, long neededMb) {
        if (!grows(role)) {
            return false;
        }
        long next = Math.min(neededMb, mostMb());
        if (next > memoryMb(role)) {
            set(role, next);
        }
        return memoryMb(role) > hadMb;
    }

    /** Lets tasks of {@code role} start with {@code memoryMb} MiB. The scheduler refuses less than it was told before. */
    public void set(Role role, long memoryMb) {
        raised.put(role, memoryMb);
        containers.memory(role, memoryMb);
    }

    /** Whether tasks of its role ran out of memory with as much as {@code container} has. */
    boolean isTooSmall(TaskContainer container) {
        return container.memoryMb() < raised.getOrDefault(container.role(), 0L);
    }
}
