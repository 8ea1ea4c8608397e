package io.optimus.model;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.Explanation;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.QueuedJob;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A random queue with all that a ResourceManager may have to plan for: nodes that are full, lost or without GPUs, budgets below
 * the held resources, jobs that never fit or hold more than they may, and speeds that are not finite.
 */
public final class HostileRound {
    private static final List<String> TYPES = List.of("", "a100", "v100");
    private static final double[] STEPS = {0, 1e-9, 1, 1e3, 1e6, 1e300};
    private static final double[] COSTS = {0, 1, 30, 1e9};
    private static final int[] LARGE = {1, 2, 3, 5, 8, 64, 100_000};

    private final Random random;
    private final boolean types;
    private final List<NodeSnapshot> nodes = new ArrayList<>();

    private HostileRound(long seed) {
        this.random = new Random(seed);
        this.types = random.nextInt(3) == 0;
    }

    /** The round of a seed. */
    public static QueueSnapshot of(long seed) {
        return new HostileRound(seed).queue();
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private boolean seldom() {
        return random.nextInt(6) == 0;
    }

    private QueueSnapshot queue() {
        int count = seldom() ? 0 : 1 + random.nextInt(7);
        for (int node = 0; node < count; node++) {
            Resources capacity =
                    Resources.of(random.nextInt(40_000), random.nextInt(24), seldom() ? 0 : random.nextInt(9));
            Resources used = seldom()
                    ? capacity.plus(Resources.of(1, 1, 1))
                    : Resources.of(random.nextInt(4_096), random.nextInt(4), 0);
            nodes.add(new NodeSnapshot(
                    Clusters.id(node),
                    capacity,
                    capacity.minus(used),
                    types ? any(TYPES) : "",
                    any(List.of("", "r1"))));
        }
        ClusterSnapshot cluster = new ClusterSnapshot(nodes, budget());
        List<QueuedJob> jobs = new ArrayList<>();
        int jobCount = random.nextInt(seldom() ? 40 : 9);
        for (int job = 0; job < jobCount; job++) {
            jobs.add(queued("job" + job));
        }
        SortedMap<String, Resources> limits = new TreeMap<>();
        if (seldom()) {
            limits.put("ann", Resources.of(random.nextInt(40_000), random.nextInt(16), random.nextInt(8)));
        }
        return new QueueSnapshot("root.a", cluster, limits, jobs);
    }

    private Resources budget() {
        Resources all = nodes.stream().map(NodeSnapshot::capacity).reduce(Resources.NONE, Resources::plus);
        return switch (random.nextInt(6)) {
            case 0 -> Resources.of(random.nextInt(80_000), random.nextInt(40), random.nextInt(16));
            case 1 -> Resources.NONE;
            case 2 -> all.minus(Resources.of(50_000, 20, 4));
            default -> all;
        };
    }

    private QueuedJob queued(String id) {
        RoleDemand servers = random.nextInt(3) == 0 ? RoleDemand.NONE : demand(0);
        RoleDemand workers = demand(seldom() ? 0 : random.nextInt(4));
        Placement current = random.nextBoolean() ? Placement.NONE : somewhere(servers, workers);
        boolean known = random.nextInt(4) > 0;
        JobSnapshot job = new JobSnapshot(
                new JobSnapshot.Identity(id, random.nextInt(3), Jobs.terms(random.nextInt(3) - 1)),
                new JobDemand(servers, workers),
                size(servers, workers),
                new JobSnapshot.State(
                        current,
                        random.nextBoolean() ? current.allocation() : size(servers, workers),
                        random.nextInt(4) > 0,
                        COSTS[random.nextInt(COSTS.length)],
                        history(servers, workers)),
                new JobSnapshot.Belief(
                        known ? Optional.of(speed()) : Optional.empty(),
                        random.nextInt(3) == 0
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(STEPS[random.nextInt(STEPS.length)] * (1 + random.nextInt(9))),
                        random.nextInt(3) / 2.0,
                        random.nextBoolean(),
                        random.nextInt(3) == 0 ? Optional.of(size(servers, workers)) : Optional.empty()));
        Placement planned = random.nextBoolean() ? current : somewhere(servers, workers);
        return new QueuedJob(
                job,
                any(List.of("ann", "bob")),
                new Proposal(planned, () -> Explanation.NONE, random.nextBoolean()),
                random.nextBoolean(),
                seldom() ? names() : new TreeSet<>(),
                types && random.nextBoolean() ? new TreeSet<>(List.of(any(TYPES))) : new TreeSet<>());
    }

    private SortedSet<String> names() {
        return new TreeSet<>(List.of(Clusters.id(random.nextInt(8)), Clusters.id(9)));
    }

    private RoleDemand demand(int gpus) {
        int min = seldom() ? LARGE[random.nextInt(LARGE.length)] : 1 + random.nextInt(2);
        long most = min + (seldom() ? (long) LARGE[random.nextInt(LARGE.length)] : random.nextInt(8));
        return new RoleDemand(
                Resources.of(random.nextInt(4_096), 1 + random.nextInt(3), gpus), min, (int) Math.min(200_000, most));
    }

    private Allocation size(RoleDemand servers, RoleDemand workers) {
        return new Allocation(count(servers), count(workers));
    }

    private int count(RoleDemand role) {
        return role.max() == 0 ? 0 : role.min() + random.nextInt(Math.min(6, role.max() - role.min() + 1));
    }

    /** Also where there is no room, and no node. */
    private Placement somewhere(RoleDemand servers, RoleDemand workers) {
        Map<String, Allocation> byNode = new HashMap<>();
        Allocation left = size(servers, workers).min(new Allocation(9, 9));
        int on = 1 + random.nextInt(3);
        for (int i = 0; i < on; i++) {
            String node = Clusters.id(random.nextInt(8));
            Allocation here = i == on - 1
                    ? left
                    : new Allocation(random.nextInt(left.parameterServers() + 1), random.nextInt(left.workers() + 1));
            byNode.merge(node, here, Allocation::plus);
            left = left.beyond(here);
        }
        return Placement.of(byNode);
    }

    private JobHistory history(RoleDemand servers, RoleDemand workers) {
        return seldom()
                ? JobHistory.NEW
                : new JobHistory(
                        random.nextInt(100_000), random.nextInt(1_000_000), random.nextInt(50), size(servers, workers));
    }

    private SpeedFunction speed() {
        double factor = random.nextDouble();
        return switch (random.nextInt(12)) {
            case 0 -> (SpeedFunction) size -> Double.NaN;
            case 1 -> (SpeedFunction) size -> 0;
            case 2 -> (SpeedFunction) size -> -factor;
            case 3 -> (SpeedFunction) size -> Double.POSITIVE_INFINITY;
            case 4 -> (SpeedFunction) size -> 1;
            case 5 -> (SpeedFunction) size -> 1e300 * size.tasks();
            case 6 -> (SpeedFunction) size -> Double.MIN_VALUE * size.tasks();
            case 7 -> (SpeedFunction) size -> size.workers() % 2 == 0 ? Double.NaN : size.workers();
            case 8 -> (SpeedFunction) size -> 1.0 / size.tasks();
            default -> sound(factor);
        };
    }

    private SpeedFunction sound(double factor) {
        SpeedFunction served =
                new SynchronousSpeed(32, factor, random.nextDouble(), random.nextDouble(), random.nextDouble() / 50, 0);
        return (SpeedFunction) size -> served.stepsPerSecond(size.max(new Allocation(1, 1)));
    }
}
