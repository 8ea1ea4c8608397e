package io.optimus.model.placement;

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
import io.optimus.model.decision.PlacementReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.policy.OptimusPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Test;
import org.junit.experimental.categories.Category;

public class OptimusPlacerTest {
    private final OptimusPlacer placer = new OptimusPlacer();

    private static AllocationDecision decided(Map<String, Allocation> allocations) {
        Map<String, Decided> byJob = new HashMap<>();
        allocations.forEach((id, allocation) ->
                byJob.put(id, new Decided(allocation, new AllocationReason.Stated("decided by the test"), false)));
        return AllocationDecision.of(byJob);
    }

    private PlacementDecision.Placed place(ClusterSnapshot cluster, Jobs job, int servers, int workers) {
        return placer.place(
                        cluster,
                        List.of(job.snapshot()),
                        decided(Map.of(job.snapshot().id(), new Allocation(servers, workers))))
                .job(job.snapshot().id());
    }

    private static Placement on(Map<Integer, Allocation> tasks) {
        Map<String, Allocation> byNode = new HashMap<>();
        tasks.forEach((node, here) -> byNode.put(Clusters.id(node), here));
        return Placement.of(byNode);
    }

    @Test
    public void splitsEvenlyOverTheFewestNodes() {
        assertThat(place(Clusters.ofGpus(4, 4), Jobs.resnet("a"), 2, 6).placement())
                .isEqualTo(on(Map.of(0, new Allocation(1, 3), 1, new Allocation(1, 3))));
    }

    @Test
    public void addsToItsOwnNodesFirst() {
        Jobs running = Jobs.resnet("a").on(on(Map.of(2, new Allocation(1, 2))));

        assertThat(place(Clusters.ofGpus(4, 4), running, 1, 4).placement())
                .isEqualTo(on(Map.of(2, new Allocation(1, 4))));
        assertThat(place(Clusters.ofGpus(4, 4), running, 1, 6).placement())
                .isEqualTo(on(Map.of(2, new Allocation(1, 3), 0, new Allocation(0, 3))));
    }

    @Test
    public void takesNodesOfOneRackIfThatNeedsNoMoreNodes() {
        ClusterSnapshot cluster = Clusters.inRacks(4, "a", "b", "b", "c");

        assertThat(place(cluster, Jobs.resnet("job"), 2, 8).placement())
                .isEqualTo(on(Map.of(1, new Allocation(1, 4), 2, new Allocation(1, 4))));
    }

    @Test
    public void takesTheFewestNodesEvenOverSeveralRacks() {
        List<NodeSnapshot> nodes =
                new ArrayList<>(Clusters.inRacks(4, "a", "b", "b", "b", "b").nodes());
        Resources large = Resources.of(1 << 20, 256, 8);
        nodes.set(0, new NodeSnapshot(Clusters.id(0), large, large, "", "a"));
        nodes.add(new NodeSnapshot(Clusters.id(5), large, large, "", "c"));

        assertThat(place(Clusters.of(nodes), Jobs.resnet("job"), 2, 16).placement())
                .isEqualTo(on(Map.of(0, new Allocation(1, 8), 5, new Allocation(1, 8))));
    }

    @Test
    public void growsInTheRackThatItIsIn() {
        Jobs running = Jobs.resnet("job").on(on(Map.of(3, new Allocation(1, 4))));

        assertThat(place(Clusters.inRacks(4, "a", "a", "b", "b", "b"), running, 1, 8)
                        .placement())
                .isEqualTo(on(Map.of(3, new Allocation(1, 4), 2, new Allocation(0, 4))));
    }

    @Test
    public void limitsTheDistributedJobsThatShareANode() {
        Jobs first = Jobs.allReduce("a").submitted(1);
        Jobs second = Jobs.allReduce("b").submitted(2);
        AllocationDecision decision = decided(Map.of("a", new Allocation(0, 6), "b", new Allocation(0, 6)));
        List<JobSnapshot> jobs = Jobs.snapshots(first, second);

        PlacementDecision any = placer.place(Clusters.ofGpus(3, 4), jobs, decision);
        PlacementDecision one = placer.withDistributedJobs(1).place(Clusters.ofGpus(3, 4), jobs, decision);

        assertThat(any.job("b").placement())
                .isEqualTo(on(Map.of(2, new Allocation(0, 4), 0, new Allocation(0, 1), 1, new Allocation(0, 1))));
        assertThat(one.job("a").placement()).isEqualTo(on(Map.of(0, new Allocation(0, 3), 1, new Allocation(0, 3))));
        assertThat(one.job("b").placement()).isEqualTo(on(Map.of(2, new Allocation(0, 4))));
    }

    @Test
    public void growsAJobOnlyOntoNodesThatItMayShare() {
        Jobs large = Jobs.allReduce("a").on(on(Map.of(0, new Allocation(0, 2), 1, new Allocation(0, 2))));
        Jobs small = Jobs.allReduce("b").on(on(Map.of(1, new Allocation(0, 1))));
        AllocationDecision decision = decided(Map.of("a", new Allocation(0, 4), "b", new Allocation(0, 3)));

        PlacementDecision placed =
                placer.withDistributedJobs(1).place(Clusters.ofGpus(3, 4), Jobs.snapshots(large, small), decision);

        assertThat(placed.job("b").placement()).isEqualTo(on(Map.of(1, new Allocation(0, 2))));
    }

    @Test
    public void neverBreaksTheLimitOfDistributedJobsAmongNewJobs() {
        for (long seed = 0; seed < 300; seed++) {
            RandomRound round = RandomRound.of(seed);
            List<JobSnapshot> fresh = round.jobs().stream()
                    .map(job -> new Jobs(job).on(Placement.NONE).snapshot())
                    .toList();
            AllocationDecision decision = new OptimusPolicy().allocate(round.cluster(), fresh);
            int limit = 1 + (int) (seed % 2);
            Map<String, Integer> distributed = new HashMap<>();
            placer.withDistributedJobs(limit).place(round.cluster(), fresh, decision).placements().values().stream()
                    .filter(placement -> placement.byNode().size() > 1)
                    .forEach(placement ->
                            placement.byNode().keySet().forEach(node -> distributed.merge(node, 1, Integer::sum)));
            assertThat(distributed.values()).as("seed " + seed).allMatch(jobs -> jobs <= limit);
        }
    }

    /** Nodes n000, n001, … where only GPUs are scarce. */
    private static ClusterSnapshot withGpus(int... gpus) {
        List<NodeSnapshot> nodes = new ArrayList<>();
        for (int node = 0; node < gpus.length; node++) {
            Resources room = Resources.of(1 << 20, 256, gpus[node]);
            nodes.add(new NodeSnapshot(Clusters.id(node), room, room));
        }
        return Clusters.of(nodes);
    }

    @Test
    public void splitsEvenlyOverTheLargestOfDifferentNodes() {
        assertThat(place(withGpus(2, 8, 4, 6), Jobs.resnet("a"), 2, 12).placement())
                .isEqualTo(on(Map.of(1, new Allocation(1, 6), 3, new Allocation(1, 6))));
    }

    @Test
    public void takesTheFewestOfDifferentNodesIfNoEvenSplitFits() {
        PlacementDecision.Placed placed = place(withGpus(2, 8, 4), Jobs.resnet("a"), 2, 12);

        assertThat(placed.placement()).isEqualTo(on(Map.of(1, new Allocation(1, 8), 2, new Allocation(1, 4))));
        assertThat(placed.reason().sentence()).isEqualTo("spread over 2 nodes as evenly as their room allows");
    }

    @Test
    public void staysOnItsNodesWhenALargerOneIsFree() {
        Jobs running = Jobs.resnet("a").on(on(Map.of(1, new Allocation(1, 2), 2, new Allocation(1, 2))));

        assertThat(place(withGpus(8, 2, 2), running, 2, 4).placement())
                .isEqualTo(running.snapshot().current());
        assertThat(place(withGpus(8, 2, 2), running, 2, 5).placement())
                .isEqualTo(on(Map.of(0, new Allocation(0, 1), 1, new Allocation(1, 2), 2, new Allocation(1, 2))));
    }

    @Test
    public void shrinksOnTheNodesWithItsFewestTasks() {
        Jobs running = Jobs.resnet("a").on(on(Map.of(0, new Allocation(0, 1), 3, new Allocation(1, 3))));

        assertThat(place(Clusters.ofGpus(4, 4), running, 1, 3).placement())
                .isEqualTo(on(Map.of(3, new Allocation(1, 3))));
    }

    @Test
    public void shrinksToWhatFits() {
        PlacementDecision.Placed placed = place(Clusters.ofGpus(2, 2), Jobs.resnet("a"), 2, 6);

        assertThat(placed.placement().allocation().workers()).isEqualTo(4);
        assertThat(placed.reason().sentence())
                .isEqualTo(
                        "it gets only 2 ps + 4 workers of these 2 ps + 6 workers, because the nodes have no room for more");
    }

    @Test
    public void movesTasksBeyondMinimumsRatherThanLetAJobWait() {
        Jobs spread = Jobs.resnet("a").on(on(Map.of(0, new Allocation(1, 1), 1, new Allocation(0, 1))));
        Jobs large = Jobs.resnet("b").workers(Resources.of(1024, 1, 4), 1, 1);
        PlacementDecision placed = placer.place(
                Clusters.ofGpus(2, 4),
                List.of(spread.snapshot(), large.snapshot()),
                decided(Map.of("a", new Allocation(1, 2), "b", new Allocation(1, 1))));

        assertThat(placed.job("b").placement().allocation()).isEqualTo(new Allocation(1, 1));
        assertThat(placed.job("a").placement()).isEqualTo(on(Map.of(0, new Allocation(1, 2))));
    }

    @Test
    public void movesNoMoreThanAWaitingJobNeeds() {
        Jobs far = Jobs.resnet("far").on(on(Map.of(2, new Allocation(1, 3), 3, new Allocation(1, 1))));
        Jobs spread = Jobs.resnet("near").on(on(Map.of(0, new Allocation(1, 1), 1, new Allocation(0, 1))));
        Jobs large = Jobs.resnet("large").workers(Resources.of(1024, 1, 4), 1, 1);
        PlacementDecision placed = placer.place(
                Clusters.ofGpus(4, 4),
                List.of(far.snapshot(), spread.snapshot(), large.snapshot()),
                decided(Map.of(
                        "far", new Allocation(2, 4), "near", new Allocation(1, 2), "large", new Allocation(1, 1))));

        assertThat(placed.job("large").placement().allocation()).isEqualTo(new Allocation(1, 1));
        assertThat(placed.job("far").placement()).isEqualTo(far.snapshot().current());
        assertThat(placed.job("far").reason().sentence()).isEqualTo("its tasks stay where they are, on 2 nodes");
    }

    @Test
    public void skipsNodesWithoutGpusEvenIfTheyAreEmpty() {
        List<NodeSnapshot> nodes = new ArrayList<>(Clusters.ofGpus(2, 4).nodes());
        Resources large = Resources.of(1 << 30, 1024, 0);
        for (int node = 0; node < 10; node++) {
            nodes.add(new NodeSnapshot("a-cpu-" + node, large, large));
        }

        PlacementDecision.Placed placed = place(Clusters.of(nodes), Jobs.resnet("a"), 1, 4);

        assertThat(placed.placement()).isEqualTo(on(Map.of(0, new Allocation(1, 4))));
        assertThat(placed.reason().sentence()).isEqualTo("all tasks on 1 node");
    }

    @Test
    public void putsServersOnNodesWithoutGpusIfTheWorkersFillTheOthers() {
        Resources tight = Resources.of(1 << 20, 4, 4);
        Resources large = Resources.of(1 << 20, 64, 0);
        List<NodeSnapshot> nodes =
                List.of(new NodeSnapshot(Clusters.id(0), tight, tight), new NodeSnapshot(Clusters.id(1), large, large));

        assertThat(place(Clusters.of(nodes), Jobs.resnet("a"), 2, 4).placement())
                .isEqualTo(on(Map.of(0, new Allocation(0, 4), 1, new Allocation(2, 0))));
    }

    @Test
    public void waitsForAResourceThatNoNodeHas() {
        Jobs odd = Jobs.resnet("a").workers(Resources.of(Map.of(Resources.MEMORY_MB, 100L, "yarn.io/fpga", 1L)), 1, 4);

        PlacementDecision.Placed placed = place(Clusters.ofGpus(1, 4), odd, 1, 1);

        assertThat(placed.placement()).isEqualTo(Placement.NONE);
        assertThat(placed.reason()).isEqualTo(new PlacementReason.Waits(new Allocation(1, 1)));
    }

    @Test
    public void leavesAJobThatMayNotShrinkInPlaceAndGivesItsNodeToNoOtherJob() {
        Jobs fixed =
                Jobs.resnet("fixed").on(on(Map.of(0, new Allocation(1, 6)))).mayNotShrink();
        PlacementDecision placed = placer.place(
                Clusters.ofGpus(1, 4),
                List.of(Jobs.resnet("a").snapshot(), fixed.snapshot()),
                decided(Map.of("fixed", new Allocation(1, 6), "a", new Allocation(1, 1))));

        assertThat(placed.job("fixed").placement()).isEqualTo(fixed.snapshot().current());
        assertThat(placed.job("a").placement()).isEqualTo(Placement.NONE);
    }

    /** Compares with all placements of few tasks on few small nodes. Packing is hard: 1.4 % were missed when this was written. */
    @Test
    public void seldomLeavesAJobUnplacedThatWouldFit() {
        Random random = new Random(7);
        int possible = 0;
        int found = 0;
        for (int round = 0; round < 3000; round++) {
            List<NodeSnapshot> nodes = new ArrayList<>();
            for (int node = 1 + random.nextInt(4); node >= 0; node--) {
                Resources room = Resources.of(2048L * random.nextInt(5), random.nextInt(6), random.nextInt(4));
                nodes.add(new NodeSnapshot(Clusters.id(node), room, room));
            }
            Allocation wanted = new Allocation(1 + random.nextInt(3), 1 + random.nextInt(4));
            Placement placement = place(
                            Clusters.of(nodes), Jobs.resnet("a"), wanted.parameterServers(), wanted.workers())
                    .placement();
            possible += holds(nodes, 0, wanted.parameterServers(), wanted.workers()) ? 1 : 0;
            found += placement.allocation().equals(wanted) ? 1 : 0;
        }
        System.out.printf("placed whole: %d of %d jobs that nodes can hold%n", found, possible);
        assertThat(found).isBetween(possible * 98 / 100, possible);
    }

    private static boolean holds(List<NodeSnapshot> nodes, int from, int servers, int workers) {
        if (from == nodes.size()) {
            return servers == 0 && workers == 0;
        }
        for (int p = 0; p <= servers; p++) {
            for (int w = 0; w <= workers; w++) {
                Resources here = Jobs.SERVER.times(p).plus(Jobs.WORKER.times(w));
                if (here.fitsIn(nodes.get(from).available()) && holds(nodes, from + 1, servers - p, workers - w)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    @Category(Slow.class)
    public void neverOverfillsANodeInAnyOrder() {
        for (long seed = 0; seed < 500; seed++) {
            RandomRound round = RandomRound.of(seed);
            AllocationDecision decision = new OptimusPolicy().allocate(round.cluster(), round.jobs());
            PlacementDecision placed = placer.place(round.cluster(), round.jobs(), decision);
            Map<String, Resources> used = new HashMap<>();
            for (JobSnapshot job : round.jobs()) {
                Placement placement = placed.job(job.id()).placement();
                Allocation given = decision.job(job.id()).allocation();
                assertThat(placement.allocation().isWithin(given))
                        .as("seed " + seed)
                        .isTrue();
                assertThat(placement.allocation().isNone() || job.minimum().isWithin(placement.allocation()))
                        .as("seed " + seed)
                        .isTrue();
                placement.byNode().forEach((node, tasks) -> used.merge(node, job.resources(tasks), Resources::plus));
                if (!job.mayShrink()) {
                    job.current().byNode().forEach((node, tasks) -> assertThat(tasks.isWithin(placement.on(node)))
                            .isTrue());
                }
                if (given.equals(job.current().allocation())
                        && placed.job(job.id()).reason() instanceof PlacementReason.Stays) {
                    assertThat(placement).as("seed " + seed).isEqualTo(job.current());
                }
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

    /** No way to split (p, w) evenly over equal nodes needs fewer nodes than the placer took. */
    @Test
    public void usesNoMoreEqualNodesThanAnyPlacement() {
        for (int gpus = 1; gpus <= 4; gpus++) {
            for (int servers = 1; servers <= 4; servers++) {
                for (int workers = 1; workers <= 6; workers++) {
                    Resources node = Resources.of(1 << 20, gpus + 2, gpus);
                    Placement placement = place(Clusters.of(6, node), Jobs.resnet("a"), servers, workers)
                            .placement();
                    if (placement.allocation().equals(new Allocation(servers, workers))) {
                        assertThat(placement.byNode().size())
                                .as(servers + "+" + workers + " on " + gpus + " GPUs")
                                .isEqualTo(fewestEven(node, servers, workers));
                    }
                }
            }
        }
    }

    private static int fewestEven(Resources node, int servers, int workers) {
        for (int nodes = 1; nodes <= 6; nodes++) {
            if (splits(node, nodes, nodes, servers, workers, servers, workers)) {
                return nodes;
            }
        }
        return -1;
    }

    private static boolean splits(Resources node, int all, int left, int servers, int workers, int ofP, int ofW) {
        if (left == 0) {
            return servers == 0 && workers == 0;
        }
        for (int p = ofP / all; p <= Math.min(servers, (ofP + all - 1) / all); p++) {
            for (int w = ofW / all; w <= Math.min(workers, (ofW + all - 1) / all); w++) {
                if (p + w > 0
                        && Jobs.SERVER.times(p).plus(Jobs.WORKER.times(w)).fitsIn(node)
                        && splits(node, all, left - 1, servers - p, workers - w, ofP, ofW)) {
                    return true;
                }
            }
        }
        return false;
    }
}
