package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobSnapshot;

/**
 * A job in replicas, for policies that grow jobs in one direction. A replica is a worker with as many parameter servers as the
 * job's minimum has for each worker (none in all-reduce training), up to its maximum.
 *
 * <p>Example: 1 to 4 servers and 1 to 8 workers: 6 replicas are 4 ps + 6 workers.
 */
public final class Replicas {
    private final JobSnapshot job;
    private final int serversEach;

    public Replicas(JobSnapshot job) {
        this.job = job;
        this.serversEach =
                (job.minimum().parameterServers() + job.demand().workers().min() - 1)
                        / job.demand().workers().min();
    }

    /** The fewest replicas that the job runs with, 1 or more. */
    public int min() {
        return job.demand().workers().min();
    }

    /** The most replicas that it can use. */
    public int max() {
        return job.demand().workers().max();
    }

    /** Servers that come with each worker, up to the maximum. */
    public int serversEach() {
        return serversEach;
    }

    /** The most resources that one replica takes. */
    public Resources shape() {
        return job.resources(new Allocation(serversEach, 1));
    }

    /** The tasks of {@code count} replicas, {@link #min} or more; no tasks for 0. */
    public Allocation allocation(int count) {
        long servers = Math.min(job.demand().parameterServers().max(), (long) serversEach * count);
        return new Allocation((int) servers, count);
    }
}
