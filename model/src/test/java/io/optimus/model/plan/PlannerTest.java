package io.optimus.model.plan;

import static io.optimus.model.Clusters.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.RandomRound;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.policy.OptimusPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;

public final class PlannerTest {
    private final Planner planner = new Planner(queue -> Strategy.of(new OptimusPolicy()), GpuTypes.ALIKE);

    @Test
    public void plansTheNextQueueWithTheResourcesThatTheFirstOneLeaves() {
        ClusterSnapshot cluster = Clusters.ofGpus(1, 4);
        QueueSnapshot first = queue("root.a", cluster, Jobs.small("a").workers(Jobs.WORKER, 3, 3));
        QueueSnapshot second = queue("root.b", cluster, Jobs.small("b").workers(Jobs.WORKER, 2, 2));

        Map<String, Proposal> plan = planner.plan(List.of(first, second));

        assertThat(proposal(plan, "a").planned()).isEqualTo(on(0, 4, 3));
        assertThat(proposal(plan, "b").planned()).isEqualTo(Placement.NONE);
        assertThat(proposal(plan, "b").reason()).startsWith("waits").contains("1 GPU is free, 2 are needed");
    }

    @Test
    public void subtractsHeldTasksFromTheNextQueueOnlyOnce() {
        // The first queue's job holds 3 of the 4 GPUs: they are available in its own view, but not in the other one.
        Jobs holds = Jobs.small("a").workers(Jobs.WORKER, 3, 3).on(on(0, 4, 3));
        QueueSnapshot first = queue("root.a", Clusters.ofGpus(1, 4), holds);
        QueueSnapshot second = queue(
                "root.b",
                Clusters.ofGpus(1, 4)
                        .less(Map.of(Clusters.id(0), holds.snapshot().resources(new Allocation(4, 3)))),
                Jobs.small("b").workers(Jobs.WORKER, 1, 1));

        assertThat(proposal(planner.plan(List.of(first, second)), "b")
                        .planned()
                        .allocation()
                        .workers())
                .isEqualTo(1);
    }

    /** The job's equal share of the fast type is less than it asked for, so it would wait for all that it asked for. */
    @Test
    public void putsAJobOfFixedSizeOnTheTypeWhereItFits() {
        Resources node = Resources.of(1 << 20, 256, 4);
        ClusterSnapshot cluster = Clusters.of(List.of(
                new NodeSnapshot(Clusters.id(0), node, node, "fast", ""),
                new NodeSnapshot(Clusters.id(1), node, node, "slow", "")));
        Strategy fifo = Strategies.named("fifo").bySeed().apply(1);
        Planner planner = new Planner(queue -> fifo, new GpuTypes(new TreeMap<>(Map.of("fast", 9.0))));
        List<QueuedJob> jobs = List.of(
                QueuedJob.of(Jobs.allReduce("a").requested(0, 3).submitted(1).snapshot(), "ann"),
                QueuedJob.of(Jobs.allReduce("b").requested(0, 2).submitted(2).snapshot(), "ann"));

        SortedMap<String, Proposal> plan =
                planner.plan(List.of(new QueueSnapshot("root.a", cluster, new TreeMap<>(), jobs)));

        assertThat(proposal(plan, "a").planned()).isEqualTo(Clusters.on(0, 0, 3));
        assertThat(proposal(plan, "b").planned()).isEqualTo(Clusters.on(1, 0, 2));
    }

    @Test
    public void keepsNewTasksOffTheNodesThatAJobAvoids() {
        QueuedJob job = new QueuedJob(
                Jobs.small("a").on(on(0, 1, 2)).snapshot(),
                "ann",
                Proposal.of(on(0, 1, 2)),
                false,
                new TreeSet<>(List.of(Clusters.id(0))),
                new TreeSet<>());
        QueueSnapshot queue = new QueueSnapshot("root.a", Clusters.ofGpus(2, 4), new TreeMap<>(), List.of(job));

        Placement planned = proposal(planner.plan(List.of(queue)), "a").planned();

        assertThat(planned.on(Clusters.id(0)).isWithin(new Allocation(1, 2))).isTrue();
        assertThat(planned.allocation().workers()).isGreaterThan(2);
    }

    @Test
    public void leavesAJobUnchangedIfGrowthDoesNotRepayTheResize() {
        Jobs nearlyDone = Jobs.small("a").remaining(1).on(on(0, 1, 1));

        Proposal proposal = proposal(planner.plan(List.of(queue("root.a", Clusters.ofGpus(1, 8), nearlyDone))), "a");

        assertThat(proposal.planned()).isEqualTo(on(0, 1, 1));
        assertThat(proposal.reason()).startsWith("stays at 1 ps + 1 worker: ");
    }

    @Test
    public void aResizeUnderWayKeepsItsOriginalReason() {
        Jobs grows = Jobs.small("a").workers(Jobs.WORKER, 1, 2).servers(Jobs.SERVER, 1, 1);
        Proposal decided =
                proposal(planner.plan(List.of(queue("root.a", Clusters.ofGpus(1, 8), grows.on(on(0, 1, 1))))), "a");
        assertThat(decided.reason()).startsWith("grows from 1 ps + 1 worker to 1 ps + 2 workers");

        // The worker has its container but does not step yet.
        JobSnapshot joining = grows.on(on(0, 1, 2)).trainsOn(1, 1).snapshot();

        assertThat(proposal(planner.plan(List.of(under(decided, true, joining))), "a"))
                .isEqualTo(decided);
        assertThat(proposal(
                                planner.plan(List.of(under(
                                        decided, false, grows.on(on(0, 1, 2)).snapshot()))),
                                "a")
                        .reason())
                .startsWith("stays at 1 ps + 2 workers");
    }

    private static QueueSnapshot under(Proposal inForce, boolean underWay, JobSnapshot job) {
        return new QueueSnapshot(
                "root.a",
                Clusters.ofGpus(1, 8),
                new TreeMap<>(),
                List.of(new QueuedJob(job, "ann", inForce, underWay, new TreeSet<>(), new TreeSet<>())));
    }

    @Test
    public void neverExceedsANodeABudgetOrAUsersLimit() {
        for (long seed = 0; seed < 1000; seed++) {
            RandomRound round = RandomRound.of(seed);
            Random random = new Random(seed);
            QueueSnapshot queue = randomQueue(round, random);
            Map<String, Proposal> plan = planner.plan(List.of(queue));

            Map<String, Resources> byNode = new HashMap<>();
            Map<String, Resources> byUser = new HashMap<>();
            Resources sum = Resources.NONE;
            boolean mayExceed = false;
            for (QueuedJob job : queue.jobs()) {
                Placement planned = proposal(plan, job.id()).planned();
                planned.byNode()
                        .forEach((node, tasks) -> byNode.merge(node, job.job().resources(tasks), Resources::plus));
                Resources takes = job.job().resources(planned.allocation());
                byUser.merge(job.user(), takes, Resources::plus);
                sum = sum.plus(takes);
                mayExceed |= !job.job().mayShrink();
                assertThat(planned.allocation().isNone() || job.job().minimum().isWithin(planned.allocation()))
                        .as("seed " + seed)
                        .isTrue();
            }
            for (NodeSnapshot node : queue.cluster().nodes()) {
                assertThat(byNode.getOrDefault(node.id(), Resources.NONE).fitsIn(node.available()))
                        .as("seed %d, %s", seed, node)
                        .isTrue();
            }
            if (!mayExceed) {
                assertThat(sum.fitsIn(queue.cluster().budget()))
                        .as("seed " + seed)
                        .isTrue();
                queue.userLimits().forEach((user, limit) -> assertThat(
                                byUser.getOrDefault(user, Resources.NONE).fitsIn(limit))
                        .as(user)
                        .isTrue());
            }
        }
    }

    private static QueueSnapshot randomQueue(RandomRound round, Random random) {
        ClusterSnapshot cluster = random.nextBoolean()
                ? round.cluster()
                : Clusters.withBudgetOfGpus(round.cluster(), 1 + random.nextInt(30));
        List<QueuedJob> jobs = new ArrayList<>();
        for (JobSnapshot job : round.jobs()) {
            jobs.add(QueuedJob.of(job, random.nextBoolean() ? "ann" : "bob"));
        }
        SortedMap<String, Resources> limits = new TreeMap<>();
        if (random.nextBoolean()) {
            limits.put("ann", Resources.of(1 << 20, 1 << 10, random.nextInt(20)));
        }
        return new QueueSnapshot("root.a", cluster, limits, jobs);
    }

    private static QueueSnapshot queue(String name, ClusterSnapshot cluster, Jobs... jobs) {
        return new QueueSnapshot(
                name,
                cluster,
                new TreeMap<>(),
                Jobs.snapshots(jobs).stream()
                        .map(job -> QueuedJob.of(job, "ann"))
                        .toList());
    }

    private static Proposal proposal(Map<String, Proposal> plan, String job) {
        return Objects.requireNonNull(plan.get(job), job);
    }
}
