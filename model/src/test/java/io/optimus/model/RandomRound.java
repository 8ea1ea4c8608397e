package io.optimus.model;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.placement.Placement;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;

/** A random cluster and random jobs, some of which hold tasks that fit. */
public record RandomRound(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
    public static RandomRound of(long seed) {
        Random random = new Random(seed);
        List<NodeSnapshot> nodes = new ArrayList<>();
        int count = 1 + random.nextInt(8);
        for (int node = 0; node < count; node++) {
            Resources capacity = Resources.of(32_768, 8 + random.nextInt(24), random.nextInt(9));
            Resources used = Resources.of(random.nextInt(8_192), random.nextInt(8), 0);
            nodes.add(new NodeSnapshot(Clusters.id(node), capacity, capacity.minus(used)));
        }
        Map<String, Resources> free = new HashMap<>();
        nodes.forEach(node -> free.put(node.id(), node.available()));
        List<JobSnapshot> jobs = new ArrayList<>();
        int jobCount = random.nextInt(12);
        for (int job = 0; job < jobCount; job++) {
            jobs.add(job(random, job, free));
        }
        return new RandomRound(Clusters.of(nodes), jobs);
    }

    private static JobSnapshot job(Random random, int index, Map<String, Resources> free) {
        int minServers = 1 + random.nextInt(2);
        int minWorkers = 1 + random.nextInt(3);
        Jobs job = Jobs.resnet("job" + index)
                .submitted(random.nextInt(5))
                .priority(random.nextInt(2))
                .servers(Resources.of(1024, 1 + random.nextInt(2), 0), minServers, minServers + random.nextInt(6))
                .workers(Resources.of(2048, 1, random.nextInt(4)), minWorkers, minWorkers + random.nextInt(10))
                .speed(new SynchronousSpeed(
                        32, random.nextDouble(), random.nextDouble(), random.nextDouble(), random.nextDouble() / 50, 0))
                .requested(minServers, minWorkers + index % 3)
                .remaining(random.nextInt(4) == 0 ? OptionalDouble.empty() : OptionalDouble.of(random.nextInt(10_000)));
        if (random.nextInt(3) == 0) {
            job = random.nextBoolean()
                    ? job.unknown()
                    : job.exploring(minServers + random.nextInt(2), minWorkers + random.nextInt(3));
        }
        if (random.nextBoolean()) {
            job = job.on(held(random, job.snapshot(), free));
        }
        return (random.nextInt(4) == 0 ? job.mayNotShrink() : job).snapshot();
    }

    private static Placement held(Random random, JobSnapshot job, Map<String, Resources> free) {
        Map<String, Allocation> held = new HashMap<>();
        Allocation wanted = new Allocation(
                job.minimum().parameterServers()
                        + random.nextInt(
                                job.parameterServers().max() - job.minimum().parameterServers() + 1),
                job.minimum().workers()
                        + random.nextInt(job.workers().max() - job.minimum().workers() + 1));
        Allocation got = Allocation.NONE;
        Map<String, Resources> left = new HashMap<>(free);
        for (String node : free.keySet().stream().sorted().toList()) {
            for (Role role : Role.values()) {
                while (got.count(role) < wanted.count(role)
                        && job.demand(role).task().fitsIn(left.getOrDefault(node, Resources.NONE))
                        && random.nextInt(4) > 0) {
                    held.merge(node, Allocation.NONE.plus(role, 1), Allocation::plus);
                    left.merge(node, job.demand(role).task(), Resources::minus);
                    got = got.plus(role, 1);
                }
            }
        }
        if (!job.minimum().isWithin(got)) {
            return Placement.NONE;
        }
        free.putAll(left);
        return Placement.of(held);
    }
}
