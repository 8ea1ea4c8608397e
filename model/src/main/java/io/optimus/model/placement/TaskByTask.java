package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.Role;

/** Puts one task after the other on the node with the most free of its dominant resource, with the roles in proportion. */
final class TaskByTask {
    private final PlacingJob job;
    private final FreeNodes nodes;

    TaskByTask(PlacingJob job, FreeNodes nodes) {
        this.job = job;
        this.nodes = nodes;
    }

    /** Adds tasks until the job has {@code goal}; returns false if the next task has no room. */
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

    /** The role of which the job has the smaller part of {@code goal}. */
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
