package io.optimus.model.plan;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeRoom;
import io.optimus.model.cluster.NodeRoom.Hosting;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.division.Replicas;
import java.util.List;

/**
 * The GPUs of one type, and the jobs that share them.
 *
 * <p>Each job is assumed to have an equal share of a type: its capacity over the number of jobs, within the job's limits. If
 * the minimums of all jobs have no room, each runs for a part of the time.
 *
 * <p>Example: 8 GPUs of speed 2 and three jobs. A fourth job would have 2 GPUs and be twice as fast as on 2 GPUs of speed 1.
 */
final class GpuPool {
    private final double speed;
    private final NodeRoom nodeRoom;
    private final long gpus;
    private int jobs;
    private long minimums;

    /**
     * A pool without jobs.
     *
     * @param speed the speed of the type
     * @param nodes the nodes with GPUs of the type
     * @param budget the budget of all jobs
     */
    GpuPool(double speed, List<NodeSnapshot> nodes, Resources budget) {
        ClusterSnapshot cluster = new ClusterSnapshot(nodes, budget);
        this.speed = speed;
        this.nodeRoom = new NodeRoom(cluster);
        this.gpus = cluster.available().amount(Resources.GPUS);
    }

    void add(JobSnapshot job) {
        jobs++;
        minimums += gpus(job);
    }

    void remove(JobSnapshot job) {
        jobs--;
        minimums -= gpus(job);
    }

    private static long gpus(JobSnapshot job) {
        return job.resources(job.minimum()).amount(Resources.GPUS);
    }

    /** Whether the minimum of {@code job} would fit if there were no other jobs. */
    boolean hosts(JobSnapshot job) {
        return holds(job) >= job.demand().workers().min();
    }

    /** The number of workers of {@code job} that would fit if there were no other jobs. */
    int holds(JobSnapshot job) {
        return hosting(job).inAll();
    }

    /** Whether the minimums of all jobs of the pool have room. */
    boolean hasRoom() {
        return minimums <= gpus;
    }

    /** The steps per second of {@code job}, which is in the pool, on an equal share; linear in workers while its speed is unknown. */
    double stepsPerSecond(JobSnapshot job) {
        int most = Math.min(job.demand().workers().max(), hosting(job).fair(Math.max(1, jobs)));
        Allocation size =
                new Replicas(job).allocation(Math.max(job.demand().workers().min(), most));
        double atSpeedOne = job.speed().map(known -> known.stepsPerSecond(size)).orElse((double) size.workers());
        return speed * atSpeedOne * Math.min(1, (double) gpus / Math.max(1, minimums));
    }

    private Hosting hosting(JobSnapshot job) {
        return nodeRoom.of(job.demand().workers().task());
    }
}
