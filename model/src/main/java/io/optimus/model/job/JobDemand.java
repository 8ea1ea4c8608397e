package io.optimus.model.job;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;

/**
 * The tasks of each role that a job wants.
 *
 * @param parameterServers demand of parameter servers; {@link RoleDemand#NONE} in all-reduce training
 * @param workers demand of workers
 */
public record JobDemand(RoleDemand parameterServers, RoleDemand workers) {
    public RoleDemand of(Role role) {
        return switch (role) {
            case WORKER -> workers;
            case PARAMETER_SERVER -> parameterServers;
        };
    }

    /** The smallest allocation that the job runs with. */
    public Allocation minimum() {
        return new Allocation(parameterServers.min(), workers.min());
    }

    /** The largest allocation that the job can use. */
    public Allocation maximum() {
        return new Allocation(parameterServers.max(), workers.max());
    }

    /** The nearest allocation to {@code size} between minimum and maximum. */
    public Allocation clamp(Allocation size) {
        return size.max(minimum()).min(maximum());
    }

    /** Whether the job trains with parameter servers. */
    public boolean hasParameterServers() {
        return parameterServers.max() > 0;
    }

    /** Resources of all tasks of {@code allocation}. */
    public Resources resources(Allocation allocation) {
        return parameterServers
                .task()
                .times(allocation.parameterServers())
                .plus(workers.task().times(allocation.workers()));
    }
}
