package io.optimus.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.Placement;
import io.optimus.model.policy.AllocationPolicy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Two jobs of up to 8 workers run on 16 GPUs, and others take GPUs. */
@RunWith(Parameterized.class)
public final class RunningJobsTest {
    private static final Allocation MINIMUM = new Allocation(0, 2);

    private final Strategy strategy;
    private final AllocationPolicy policy;

    public RunningJobsTest(String name) {
        strategy = Strategies.named(name).bySeed().apply(1);
        policy = strategy.policy();
    }

    @Parameters(name = "{0}")
    public static List<String> names() {
        return Strategies.names();
    }

    private static final Jobs FIRST = running("a", 0);
    private static final Jobs SECOND = running("b", 1);

    private static Jobs running(String name, int node) {
        return Jobs.allReduce(name)
                .submitted(node)
                .workers(Jobs.WORKER, 2, 8)
                .requested(0, 8)
                .speed(size -> size.workers())
                .on(Clusters.on(node, 0, 8));
    }

    private AllocationDecision decide(int gpusLeft, boolean keepsRunning, Map<String, Resources> limits, Jobs... jobs) {
        ClusterSnapshot cluster = Clusters.withBudgetOfGpus(Clusters.ofGpus(2, 8), gpusLeft);
        return new RunningJobs(
                        policy,
                        new QueueSnapshot("root.a", cluster, new TreeMap<>(limits), 0, keepsRunning, queued(jobs)))
                .allocate();
    }

    private static List<QueuedJob> queued(Jobs... jobs) {
        return Stream.of(jobs).map(job -> QueuedJob.of(job.snapshot(), "ann")).toList();
    }

    @Test
    public void noRunningJobIsStoppedAsLongAsAllMinimumsFit() {
        for (int gpusLeft = 4; gpusLeft < 16; gpusLeft++) {
            AllocationDecision decision = decide(gpusLeft, true, Map.of(), FIRST, SECOND);

            Allocation first = decision.job("a").allocation();
            Allocation second = decision.job("b").allocation();
            assertThat(MINIMUM.isWithin(first.min(second)))
                    .as("%s and %s of %s", first, second, gpusLeft)
                    .isTrue();
            assertThat(first.workers() + second.workers()).isLessThanOrEqualTo(gpusLeft);
        }
    }

    @Test
    public void theMinimumOfARunningJobStaysWhereItIs() {
        for (int gpusLeft = 4; gpusLeft < 16; gpusLeft++) {
            ClusterSnapshot cluster = Clusters.withBudgetOfGpus(Clusters.ofGpus(4, 8), gpusLeft);
            Map<String, Proposal> plan = new Planner(queue -> strategy, GpuTypes.ALIKE)
                    .plan(List.of(
                            new QueueSnapshot("root.a", cluster, new TreeMap<>(), 0, true, queued(FIRST, SECOND))));

            for (Map.Entry<String, Jobs> job : Map.of("a", FIRST, "b", SECOND).entrySet()) {
                Placement held = job.getValue().snapshot().current();
                Placement planned =
                        Objects.requireNonNull(plan.get(job.getKey())).planned();
                String node = held.byNode().firstKey();
                assertThat(planned.on(node).workers())
                        .as("%s of %s", planned, gpusLeft)
                        .isGreaterThanOrEqualTo(2);
            }
        }
    }

    @Test
    public void noJobThatWaitsTakesTheMinimumOfARunningOne() {
        Jobs waiting = Jobs.allReduce("c").submitted(2).workers(Jobs.WORKER, 2, 8);

        AllocationDecision decision = decide(4, true, Map.of(), FIRST, SECOND, waiting);

        assertThat(decision.job("a").allocation()).isEqualTo(MINIMUM);
        assertThat(decision.job("b").allocation()).isEqualTo(MINIMUM);
        assertThat(decision.job("c").allocation()).isEqualTo(Allocation.NONE);
    }

    @Test
    public void thePolicyDecidesAloneWhereTheMinimumsDoNotFitOrNobodyElseWaits() {
        Map<String, Resources> limit = Map.of("ann", Resources.of(1 << 20, 1 << 10, 3));

        assertThat(decide(3, true, Map.of(), FIRST, SECOND)).isEqualTo(decide(3, false, Map.of(), FIRST, SECOND));
        assertThat(decide(4, true, limit, FIRST, SECOND)).isEqualTo(decide(4, false, limit, FIRST, SECOND));
    }
}
