package io.optimus.model.placement;

import static io.optimus.model.Clusters.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.RandomRound;
import io.optimus.model.TestCategory.Slow;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.policy.OptimusPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.Timeout;

public class WholeNodesPlacerTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final WholeNodesPlacer placer = new WholeNodesPlacer();

    /** The number of workers that the policy decided for each job. */
    private PlacementDecision place(ClusterSnapshot cluster, Map<Jobs, Integer> workers) {
        Map<String, Decided> byJob = new HashMap<>();
        workers.forEach((job, count) -> byJob.put(job.snapshot().id(), stated(new Allocation(0, count))));
        List<JobSnapshot> jobs = workers.keySet().stream().map(Jobs::snapshot).toList();
        return placer.place(cluster, jobs, AllocationDecision.of(byJob));
    }

    private static Decided stated(Allocation allocation) {
        return new Decided(allocation, new AllocationReason.Stated("decided by the test"), false);
    }

    private static Placement onTwo(int first, int second, int each) {
        return Placement.of(
                Map.of(Clusters.id(first), new Allocation(0, each), Clusters.id(second), new Allocation(0, each)));
    }

    @Test
    public void leavesUnchangedJobsWhereTheyAre() {
        Jobs spread = Jobs.allReduce("a").on(onTwo(1, 3, 1));

        assertThat(place(Clusters.ofGpus(4, 4), Map.of(spread, 2)).job("a").placement())
                .isEqualTo(spread.snapshot().current());
    }

    /** The policy may have planned both jobs, because it adds up what is free on several nodes. */
    @Test
    public void stopsNoRunningJobIfANewOneCanWait() {
        Jobs shrinks = Jobs.allReduce("a").on(on(0, 0, 2));
        Jobs large = Jobs.allReduce("b").workers(Jobs.WORKER, 4, 4);

        PlacementDecision placed = place(Clusters.ofGpus(1, 4), Map.of(shrinks, 1, large, 4));

        assertThat(placed.job("a").placement()).isEqualTo(on(0, 0, 1));
        assertThat(placed.job("b").placement()).isEqualTo(Placement.NONE);
    }

    @Test
    public void takesWholeNodesOfOneRack() {
        assertThat(place(Clusters.inRacks(4, "a", "b", "b", "c"), Map.of(Jobs.allReduce("job"), 8))
                        .job("job")
                        .placement())
                .isEqualTo(onTwo(1, 2, 4));
    }

    @Test
    public void putsSmallJobsOnTheFullestNodesThatHoldThem() {
        Jobs three = Jobs.allReduce("three").on(on(2, 0, 3));

        assertThat(place(Clusters.ofGpus(4, 4), Map.of(three, 3, Jobs.allReduce("one"), 1))
                        .job("one")
                        .placement())
                .isEqualTo(on(2, 0, 1));
    }

    /** Both share the first node. The larger is placed first and could grow into the room of the other's workers. */
    @Test
    public void growingJobsWithServersKeepTheRunningTasksOfEachOther() {
        Jobs small = Jobs.resnet("small").on(on(0, 1, 2));
        Jobs large = Jobs.resnet("large").on(on(0, 1, 2));
        Map<String, Decided> decided =
                Map.of("small", stated(new Allocation(1, 3)), "large", stated(new Allocation(2, 6)));

        PlacementDecision placed =
                placer.place(Clusters.ofGpus(2, 4), Jobs.snapshots(small, large), AllocationDecision.of(decided));

        assertThat(placed.job("small").placement()).isEqualTo(on(0, 1, 2));
        assertThat(placed.job("large").placement())
                .isEqualTo(Placement.of(
                        Map.of(Clusters.id(0), new Allocation(1, 2), Clusters.id(1), new Allocation(1, 4))));
    }

    @Test
    public void growsOnItsOwnNodeIfTheTasksFitThere() {
        Jobs three = Jobs.allReduce("three").on(on(2, 0, 3));
        Jobs one = Jobs.allReduce("one").on(on(1, 0, 1));

        assertThat(place(Clusters.ofGpus(4, 4), Map.of(three, 3, one, 2))
                        .job("one")
                        .placement())
                .isEqualTo(on(1, 0, 2));
    }

    @Test
    public void givesWholeNodesToDistributedJobs() {
        Jobs one = Jobs.allReduce("one").on(on(1, 0, 1));
        Jobs growing = Jobs.allReduce("growing").on(on(3, 0, 4));

        PlacementDecision placed = place(Clusters.ofGpus(4, 4), Map.of(one, 1, growing, 8));

        assertThat(placed.job("growing").placement()).isEqualTo(onTwo(0, 3, 4));
    }

    @Test
    public void movesASmallerJobOutOfTheWayOfALargerOne() {
        Jobs first = Jobs.allReduce("first").on(on(0, 0, 1)).resizeCost(10);
        Jobs second = Jobs.allReduce("second").on(on(1, 0, 1)).resizeCost(5);
        Jobs large = Jobs.allReduce("large");

        PlacementDecision placed = place(Clusters.ofGpus(2, 4), Map.of(first, 1, second, 1, large, 4));

        assertThat(placed.job("large").placement()).isEqualTo(on(1, 0, 4));
        assertThat(placed.job("first").placement()).isEqualTo(on(0, 0, 1));
        assertThat(placed.job("second").placement()).isEqualTo(on(0, 0, 1));
    }

    @Test
    public void movesSmallerJobsOffWholeNodesForADistributedOne() {
        Jobs first = Jobs.allReduce("first").on(on(0, 0, 1));
        Jobs second = Jobs.allReduce("second").on(on(1, 0, 1));
        Jobs large = Jobs.allReduce("large");

        PlacementDecision placed = place(Clusters.ofGpus(3, 4), Map.of(first, 1, second, 1, large, 8));

        assertThat(placed.job("large").placement().byNode().values())
                .containsExactly(new Allocation(0, 4), new Allocation(0, 4));
        assertThat(placed.job("first").placement())
                .isEqualTo(placed.job("second").placement());
    }

    @Test
    public void movesNoJobThatMayNotBeStopped() {
        Jobs first = Jobs.allReduce("first").on(on(0, 0, 1)).mayNotShrink();
        Jobs second = Jobs.allReduce("second").on(on(1, 0, 1)).mayNotShrink();

        PlacementDecision placed =
                place(Clusters.ofGpus(2, 4), Map.of(first, 1, second, 1, Jobs.allReduce("large"), 4));

        assertThat(placed.job("first").placement()).isEqualTo(on(0, 0, 1));
        assertThat(placed.job("second").placement()).isEqualTo(on(1, 0, 1));
        assertThat(placed.job("large").placement().allocation()).isEqualTo(new Allocation(0, 4));
    }

    /** Enough of a resource may be free in sum but too little on each node; policies see only the sum. */
    @Test
    public void placesTheMinimumsOfAllJobsBeforeFurtherTasks() {
        Resources server = Resources.of(3, 1, 0);
        Jobs large = Jobs.small("large").servers(server, 1, 9).workers(Resources.of(0, 1, 1), 1, 8);
        Jobs late = Jobs.small("late")
                .servers(server, 1, 9)
                .workers(Resources.of(0, 1, 1), 1, 8)
                .submitted(1);
        AllocationDecision decision = AllocationDecision.of(
                Map.of("large", stated(new Allocation(4, 1)), "late", stated(new Allocation(1, 1))));

        PlacementDecision placed = placer.place(
                Clusters.of(2, Resources.of(8, 8, 8)), List.of(large.snapshot(), late.snapshot()), decision);

        assertThat(placed.job("late").placement().allocation()).isEqualTo(new Allocation(1, 1));
        assertThat(placed.job("large").placement().allocation()).isEqualTo(new Allocation(3, 1));
    }

    @Test
    @Category(Slow.class)
    public void packsPowersOfTwoAndWholeNodesIntoAFullCluster() {
        Random random = new Random(1);
        for (int round = 0; round < 300; round++) {
            Map<Jobs, Integer> workers = new HashMap<>();
            Map<String, Integer> free = new HashMap<>();
            int left = 64;
            for (int job = 0; left > 0; job++) {
                int size = Math.min(left, new int[] {1, 1, 2, 2, 4, 8, 12}[random.nextInt(7)]);
                size = size > 4 ? size / 4 * 4 : Integer.highestOneBit(size);
                Jobs submitted = Jobs.allReduce("job" + job).submitted(job);
                workers.put(somewhere(submitted, random, free), size);
                left -= size;
            }

            PlacementDecision placed = place(Clusters.ofGpus(16, 4), workers);

            workers.forEach((job, size) -> {
                Placement where = placed.job(job.snapshot().id()).placement();
                assertThat(where.allocation().workers()).isEqualTo(size);
                boolean runsSo = job.snapshot().current().equals(where);
                assertThat(runsSo ? 1 : where.byNode().size()).isEqualTo(runsSo ? 1 : (size + 3) / 4);
            });
        }
    }

    private static Jobs somewhere(Jobs job, Random random, Map<String, Integer> taken) {
        int node = random.nextInt(16);
        int size = 1 + random.nextInt(2);
        if (taken.merge(Clusters.id(node), size, Integer::sum) > 4) {
            return job;
        }
        return job.on(on(node, 0, size));
    }

    @Test
    @Category(Slow.class)
    public void staysWithinEveryNodeInAnyOrder() {
        for (long seed = 0; seed < 1500; seed++) {
            RandomRound round = RandomRound.of(seed);
            AllocationDecision decision = new OptimusPolicy().allocate(round.cluster(), round.jobs());

            PlacementDecision placed = placer.place(round.cluster(), round.jobs(), decision);

            Map<String, Resources> used = new HashMap<>();
            for (JobSnapshot job : round.jobs()) {
                Placement where = placed.job(job.id()).placement();
                Allocation tasks = where.allocation();
                assertThat(tasks.isWithin(decision.job(job.id()).allocation())).isTrue();
                assertThat(tasks.isNone() || job.minimum().isWithin(tasks))
                        .as("seed " + seed)
                        .isTrue();
                where.byNode().forEach((node, here) -> used.merge(node, job.resources(here), Resources::plus));
            }
            for (NodeSnapshot node : round.cluster().nodes()) {
                assertThat(used.getOrDefault(node.id(), Resources.NONE).fitsIn(node.available()))
                        .as("seed " + seed)
                        .isTrue();
            }
            List<JobSnapshot> shuffled = new ArrayList<>(round.jobs());
            Collections.shuffle(shuffled, new Random(seed));
            assertThat(placer.place(round.cluster(), shuffled, decision)).isEqualTo(placed);
        }
    }
}
