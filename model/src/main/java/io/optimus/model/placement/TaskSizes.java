package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.job.JobSnapshot;

/** The amounts that one task of each role of a job uses, in the order of {@link ResourceAxes}. */
final class TaskSizes {
    private final long[] parameterServer;
    private final long[] worker;

    TaskSizes(JobSnapshot job, ResourceAxes axes) {
        this.parameterServer = axes.amounts(job.demand().parameterServers().task());
        this.worker = axes.amounts(job.demand().workers().task());
    }

    private long[] of(Role role) {
        return switch (role) {
            case WORKER -> worker;
            case PARAMETER_SERVER -> parameterServer;
        };
    }

    boolean fits(Role role, long[] room) {
        return ResourceAxes.fits(of(role), room);
    }

    /** The number of tasks of {@code role} that have room, at most {@code limit}. */
    int times(Role role, long[] room, int limit) {
        return (int) ResourceAxes.times(of(role), room, limit);
    }

    /** The tasks of {@code wanted} that have room together, parameter servers before workers. */
    Allocation fitting(Allocation wanted, long[] room) {
        long[] left = room.clone();
        int servers = times(Role.PARAMETER_SERVER, left, wanted.parameterServers());
        ResourceAxes.take(parameterServer, servers, left);
        return new Allocation(servers, times(Role.WORKER, left, wanted.workers()));
    }

    /**
     * The dominant resource of a task of {@code role}, of which it uses the largest part of {@code capacity}; 0 if it uses
     * none.
     */
    int dominantAxis(Role role, long[] capacity) {
        int dominant = 0;
        double largest = 0;
        for (int axis = 0; axis < capacity.length; axis++) {
            double part = capacity[axis] > 0 ? (double) of(role)[axis] / capacity[axis] : 0;
            if (part > largest) {
                dominant = axis;
                largest = part;
            }
        }
        return dominant;
    }

    void take(Allocation tasks, long[] room) {
        ResourceAxes.take(parameterServer, tasks.parameterServers(), room);
        ResourceAxes.take(worker, tasks.workers(), room);
    }

    /** Undoes {@link #take}. */
    void giveBack(Allocation tasks, long[] room) {
        ResourceAxes.take(parameterServer, -tasks.parameterServers(), room);
        ResourceAxes.take(worker, -tasks.workers(), room);
    }

    /** How many times the mean task of {@code tasks} fits into {@code room}: the capacity of a node for the job. */
    double capacity(Allocation tasks, long[] room) {
        double capacity = Double.MAX_VALUE;
        for (int axis = 0; axis < room.length; axis++) {
            double asked =
                    (double) tasks.parameterServers() * parameterServer[axis] + (double) tasks.workers() * worker[axis];
            if (asked > 0) {
                capacity = Math.min(capacity, room[axis] * tasks.tasks() / asked);
            }
        }
        return capacity;
    }
}
