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
 * <p>What a job has of a type is taken to be an equal part: capacity over jobs, within what the job can use. Where not even the
 * minimums of all have room, it runs a part of the time only.
 *
 * <p>Example: 8 GPUs of speed 2 and three jobs: a fourth job would have 2, and be twice as fast as on 2 of speed 1.
 */
final class GpuPool {
    private final double speed;
    private final NodeRoom nodeRoom;
    private final long gpus;
    private int jobs;
    private long minimums;

    /**
     * Without any job.
     *
     * @param speed of the type
     * @param nodes that have it
     * @param budget of all jobs
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

    /** Of its minimum. */
    private static long gpus(JobSnapshot job) {
        return job.resources(job.minimum()).amount(Resources.GPUS);
    }

    /** Whether the minimum of {@code job} would fit with nobody else there. */
    boolean hosts(JobSnapshot job) {
        return holds(job) >= job.demand().workers().min();
    }

    /** How many workers of {@code job} would fit with nobody else there. */
    int holds(JobSnapshot job) {
        return hosting(job).inAll();
    }

    /** Whether the minimums of all that are there have room. */
    boolean hasRoom() {
        return minimums <= gpus;
    }

    /** Steps per second of {@code job} on an equal part, if it is one of the jobs here; linear where nothing is known. */
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
