package io.optimus.model.placement;

import io.optimus.model.Allocation;

/** What one task of each role takes, as {@link ResourceIndex} orders it. */
final class TaskSizes {
    private final long[] parameterServer;
    private final long[] worker;

    TaskSizes(long[] parameterServer, long[] worker) {
        this.parameterServer = parameterServer;
        this.worker = worker;
    }

    /** How many parameter servers fit into {@code free}, at most {@code limit}. */
    int parameterServersIn(long[] free, int limit) {
        return fitting(free, parameterServer, limit);
    }

    /** How many workers fit into {@code free}, at most {@code limit}. */
    int workersIn(long[] free, int limit) {
        return fitting(free, worker, limit);
    }

    /** Adds {@code sign} times what {@code tasks} take. */
    void addTo(long[] free, Allocation tasks, int sign) {
        for (int i = 0; i < free.length; i++) {
            if (tasks.parameterServers() > 0) {
                free[i] += sign * parameterServer[i] * tasks.parameterServers();
            }
            if (tasks.workers() > 0) {
                free[i] += sign * worker[i] * tasks.workers();
            }
        }
    }

    private static int fitting(long[] free, long[] task, int limit) {
        long count = limit;
        for (int i = 0; i < free.length; i++) {
            if (task[i] > 0) {
                count = Math.min(count, Math.max(0, free[i]) / task[i]);
            }
        }
        return (int) count;
    }
}
