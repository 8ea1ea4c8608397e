package io.optimus.model;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SplittableRandom;

/** A random cluster and random jobs, some of which hold tasks that fit. */
public record RandomRound(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
    public static RandomRound of(long seed) {
        return of(seed, List.of());
    }

    /** GPUs of two types, and each job bound to one of them or to one that there is not, as policies are given them. */
    public static RandomRound ofTypes(long seed) {
        return of(seed, List.of("a100", "v100", "h100"));
    }

    private static RandomRound of(long seed, List<String> types) {
        // Neighbouring seeds of Random begin alike: with the seed itself, all clusters have 6 or 7 nodes.
        Random random = new Random(new SplittableRandom(seed).nextLong());
        List<NodeSnapshot> nodes = new ArrayList<>();
        int count = 1 + random.nextInt(8);
        for (int node = 0; node < count; node++) {
            Resources capacity = Resources.of(32_768, 8 + random.nextInt(24), random.nextInt(9));
            Resources used = Resources.of(random.nextInt(8_192), random.nextInt(8), 0);
            String type = types.isEmpty() ? "" : types.get(random.nextInt(2));
            nodes.add(new NodeSnapshot(Clusters.id(node), capacity, capacity.minus(used), type, ""));
        }
        ClusterSnapshot cluster = types.isEmpty() ? Clusters.of(nodes) : GpuTypes.typed(Clusters.of(nodes));
        Map<String, Resources> free = new HashMap<>();
        cluster.nodes().forEach(node -> free.put(node.id(), node.available()));
        List<JobSnapshot> jobs = new ArrayList<>();
        int jobCount = random.nextInt(12);
        for (int job = 0; job < jobCount; job++) {
            jobs.add(job(random, job, types, free));
        }
        return new RandomRound(cluster, jobs);
    }

    private static JobSnapshot job(Random random, int index, List<String> types, Map<String, Resources> free) {
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
        if (!types.isEmpty()) {
            String type = types.get(random.nextInt(8) == 0 ? 2 : random.nextInt(2));
            job = new Jobs(GpuTypes.ALIKE.typed(job.snapshot(), type));
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
                        + random.nextInt(job.demand().parameterServers().max()
                                - job.minimum().parameterServers()
                                + 1),
                job.minimum().workers()
                        + random.nextInt(
                                job.demand().workers().max() - job.minimum().workers() + 1));
        Allocation got = Allocation.NONE;
        Map<String, Resources> left = new HashMap<>(free);
        for (String node : free.keySet().stream().sorted().toList()) {
            for (Role role : Role.values()) {
                while (got.count(role) < wanted.count(role)
                        && job.demand().of(role).task().fitsIn(left.getOrDefault(node, Resources.NONE))
                        && random.nextInt(4) > 0) {
                    held.merge(node, Allocation.NONE.plus(role, 1), Allocation::plus);
                    left.merge(node, job.demand().of(role).task(), Resources::minus);
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
