package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;

/** What the tasks of one job take of a cluster, in the order of {@link io.optimus.model.cluster.ResourceAxes}. */
final class Footprint {
    private final long[] server;
    private final long[] worker;
    private final long[] capacity;

    /**
     * Of one job.
     *
     * @param server what a parameter server takes
     * @param worker what a worker takes
     * @param capacity of the cluster
     */
    Footprint(long[] server, long[] worker, long[] capacity) {
        this.server = server;
        this.worker = worker;
        this.capacity = capacity;
    }

    long[] amounts(Allocation tasks) {
        long[] amounts = new long[capacity.length];
        for (int axis = 0; axis < amounts.length; axis++) {
            amounts[axis] = amount(tasks, axis);
        }
        return amounts;
    }

    /** The largest part of a resource of the whole that {@code tasks} take. */
    double share(Allocation tasks) {
        double share = 0;
        for (int axis = 0; axis < capacity.length; axis++) {
            share = Math.max(share, (double) amount(tasks, axis) / Math.max(1, capacity[axis]));
        }
        return share;
    }

    private long amount(Allocation tasks, int axis) {
        return Math.addExact(
                Math.multiplyExact(server[axis], (long) tasks.parameterServers()),
                Math.multiplyExact(worker[axis], (long) tasks.workers()));
    }
}
