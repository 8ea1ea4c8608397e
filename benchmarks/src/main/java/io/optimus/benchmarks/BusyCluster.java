package io.optimus.benchmarks;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.placement.PlacementDecision;
import io.optimus.model.plan.Strategy;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;

/**
 * A cluster of equal nodes, and jobs that could use more resources than it has.
 *
 * <p>Speeds are those of ResNet-50 (fitted to measurements of the Optimus authors' testbed), multiplied by a factor for
 * each job. With 4,000 jobs on 16,000 nodes, {@code optimus} allocates 105,000 tasks, as many as the paper's largest
 * test (Optimus, section 6).
 *
 * @param cluster nodes of 8 GPUs
 * @param jobs jobs with 1 to 24 tasks of each role; a worker takes 1 or 2 GPUs
 */
record BusyCluster(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
    private static final Resources NODE = Resources.of(262_144, 48, 8);
    private static final int MOST_TASKS = 24;
    private static final int MOST_STEPS = 100_000;

    /** After this many rounds, jobs have grown to stable sizes. */
    private static final int ROUNDS = 3;

    private static final double ROUND_SECONDS = 600;

    /** One job in this many is new in a steady round; the others run. */
    private static final int NEW_JOBS = 10;

    /** A cluster on which all jobs are new. */
    static BusyCluster of(int jobs, int nodes) {
        Random random = new Random(jobs * 31L + nodes);
        List<JobSnapshot> snapshots = new ArrayList<>();
        for (int job = 0; job < jobs; job++) {
            snapshots.add(job(job, random));
        }
        return new BusyCluster(cluster(nodes), List.copyOf(snapshots));
    }

    /** The same cluster after some rounds of {@code strategy}: most jobs run, one in {@value #NEW_JOBS} is new. */
    BusyCluster running(Strategy strategy) {
        List<JobSnapshot> running = jobs;
        for (int round = 1; round <= ROUNDS; round++) {
            double seconds = round * ROUND_SECONDS;
            PlacementDecision placed =
                    strategy.placer().place(cluster, running, strategy.policy().allocate(cluster, running));
            running = running.stream()
                    .map(job -> running(job, placed.job(job.id()).placement(), seconds))
                    .toList();
        }
        List<JobSnapshot> mixed = new ArrayList<>(running);
        for (int job = 0; job < mixed.size(); job += NEW_JOBS) {
            mixed.set(job, jobs.get(job));
        }
        return new BusyCluster(cluster, List.copyOf(mixed));
    }

    private static JobSnapshot running(JobSnapshot job, Placement on, double seconds) {
        Allocation size = on.allocation();
        return new JobSnapshot(
                job.identity(),
                job.demand(),
                job.requested(),
                new JobSnapshot.State(
                        on,
                        size,
                        job.mayShrink(),
                        job.state().resizeCostSeconds(),
                        new JobHistory(seconds, seconds * size.workers(), 1, size)),
                job.belief());
    }

    private static ClusterSnapshot cluster(int nodes) {
        List<NodeSnapshot> all = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            all.add(new NodeSnapshot(String.format("node%05d:8041", node), NODE, NODE));
        }
        return new ClusterSnapshot(all, NODE.times(nodes));
    }

    private static JobSnapshot job(int number, Random random) {
        double slower = 0.5 + random.nextDouble();
        RoleDemand servers = new RoleDemand(Resources.of(8192, 4, 0), 1, MOST_TASKS);
        RoleDemand workers = new RoleDemand(Resources.of(8192, 4, 1 + random.nextInt(2)), 1, MOST_TASKS);
        return new JobSnapshot(
                new JobSnapshot.Identity(String.format("application_1_%05d", number), number, SchedulingTerms.DEFAULT),
                new JobDemand(servers, workers),
                new Allocation(2, 2),
                new JobSnapshot.State(Placement.NONE, Allocation.NONE, true, 1, JobHistory.NEW),
                new JobSnapshot.Belief(
                        Optional.of(new SynchronousSpeed(32, .0039 * slower, .4178 * slower, .4213, .0074, 0)),
                        OptionalDouble.of(1 + random.nextInt(MOST_STEPS)),
                        1,
                        false,
                        Optional.empty()));
    }
}
