package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.Role;

/**
 * One task after the other to the node where most is free of what the task takes most of, the roles in step with each
 * other.
 */
final class TaskByTask {
    private final PlacingJob job;
    private final FreeNodes nodes;

    TaskByTask(PlacingJob job, FreeNodes nodes) {
        this.job = job;
        this.nodes = nodes;
    }

    /** Adds tasks until {@code goal} is there; false where the next one has no room. */
    boolean addTowards(Allocation goal) {
        while (!goal.isWithin(job.allocation())) {
            Role role = furtherFrom(goal);
            int node = nodes.mostFree(job.sizes(), role);
            if (node < 0) {
                return false;
            }
            job.put(node, Allocation.NONE.plus(role, 1));
        }
        return true;
    }

    /** The role of which the smaller part of {@code goal} is there. */
    private Role furtherFrom(Allocation goal) {
        Allocation given = job.allocation();
        long workers = (long) given.workers() * goal.parameterServers();
        long servers = (long) given.parameterServers() * goal.workers();
        boolean all = given.workers() >= goal.workers();
        return all || (servers < workers && given.parameterServers() < goal.parameterServers())
                ? Role.PARAMETER_SERVER
                : Role.WORKER;
    }
}
