package io.optimus.model.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.policy.AllocationDecision;
import io.optimus.model.policy.AllocationDecision.Decided;
import io.optimus.model.policy.AllocationReason;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.policy.RoleDemand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.Test;

public class OptimusPlacerTest {
    private static final Resources PS = Resources.of(1_000, 1, 0);
    private static final Resources WORKER = Resources.of(2_000, 1, 1);

    @Test
    public void takesTheFewestNodesThatHoldAnEvenSplit() {
        Placement onFour = place(nodes(2, 4), job("a", Placement.NONE, true), new Allocation(2, 4));
        assertThat(onFour.byNode()).containsOnlyKeys("node-0");
        Placement onThree = place(nodes(2, 3), job("a", Placement.NONE, true), new Allocation(2, 4));
        assertThat(onThree.byNode().values()).containsExactly(new Allocation(1, 2), new Allocation(1, 2));
    }

    @Test
    public void runningTasksStayWhereTheyAreWhenTheJobGrows() {
        Placement now = Placement.of(Map.of("node-1", new Allocation(1, 2)));
        Placement grown = place(nodes(3, 4), job("a", now, true), new Allocation(1, 5));
        assertThat(grown.on("node-1")).isEqualTo(new Allocation(1, 4));
        assertThat(grown.allocation()).isEqualTo(new Allocation(1, 5));
    }

    @Test
    public void aShrinkEmptiesTheNodeWithTheFewestTasks() {
        Placement now = Placement.of(Map.of("node-0", new Allocation(0, 1), "node-1", new Allocation(1, 3)));
        assertThat(place(nodes(2, 4), job("a", now, true), new Allocation(1, 3)).byNode())
                .containsOnlyKeys("node-1");
    }

    @Test
    public void aJobThatDoesNotFitWholeTakesWhatFits() {
        assertThat(place(nodes(1, 2), job("a", Placement.NONE, true), new Allocation(1, 4))
                        .allocation())
                .isEqualTo(new Allocation(1, 2));
    }

    @Test
    public void aJobWhoseMinimumDoesNotFitGetsNothing() {
        assertThat(place(nodes(3, 0), job("a", Placement.NONE, true), new Allocation(1, 1)))
                .isEqualTo(Placement.NONE);
    }

    @Test
    public void aResourceThatNoNodeHasFitsNowhere() {
        Resources odd = Resources.of(Map.of(Resources.MEMORY_MB, 100L, "yarn.io/fpga", 1L));
        JobSnapshot job = job("a", Placement.NONE, true, PS, odd);
        assertThat(place(nodes(1, 4), job, new Allocation(1, 1))).isEqualTo(Placement.NONE);
    }

    @Test
    public void skipsNodesWithoutGpusHoweverEmptyTheyAre() {
        List<NodeSnapshot> nodes = new ArrayList<>(nodes(2, 4).nodes());
        for (int i = 0; i < 10; i++) {
            Resources large = Resources.of(1_000_000, 128, 0);
            nodes.add(new NodeSnapshot("cpu-" + i, large, large));
        }
        Placement placed = place(cluster(nodes), job("a", Placement.NONE, true), new Allocation(1, 4));
        assertThat(placed.byNode()).containsOnlyKeys("node-0");
    }

    @Test
    public void holdsItsPromisesOnRandomClusters() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            ClusterSnapshot cluster = nodes(1 + random.nextInt(6), random.nextInt(5));
            List<JobSnapshot> jobs = new ArrayList<>();
            Map<String, Decided> decided = new HashMap<>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                jobs.add(job("job-" + i, randomPlacement(random), random.nextInt(4) > 0));
                Allocation allocation = random.nextInt(5) == 0
                        ? Allocation.NONE
                        : new Allocation(1 + random.nextInt(3), 1 + random.nextInt(6));
                decided.put("job-" + i, new Decided(allocation, new AllocationReason.Stated("because"), false));
            }
            AllocationDecision decision = AllocationDecision.of(decided);
            Map<String, Placement> placed = new OptimusPlacer().place(cluster, jobs, decision);
            assertPromises("seed " + seed, cluster, jobs, decision, placed);
            Collections.shuffle(jobs, random);
            assertThat(new OptimusPlacer().place(cluster, jobs, decision)).isEqualTo(placed);
        }
    }

    @Test
    public void placesThousandsOfJobsOnThousandsOfNodes() {
        List<JobSnapshot> jobs = new ArrayList<>();
        Map<String, Decided> decided = new HashMap<>();
        for (int i = 0; i < 4_000; i++) {
            jobs.add(job(String.format("job-%04d", i), Placement.NONE, true));
            decided.put(
                    jobs.get(i).id(), new Decided(new Allocation(5, 8), new AllocationReason.Stated("because"), false));
        }
        ClusterSnapshot cluster = nodes(16_000, 4);
        long start = System.nanoTime();
        Map<String, Placement> placed = new OptimusPlacer().place(cluster, jobs, AllocationDecision.of(decided));
        System.out.printf("4,000 jobs on 16,000 nodes placed in %d ms%n", (System.nanoTime() - start) / 1_000_000);
        assertThat(placed.values()).allMatch(placement -> placement.byNode().size() == 2);
    }

    private static void assertPromises(
            String seed,
            ClusterSnapshot cluster,
            List<JobSnapshot> jobs,
            AllocationDecision decision,
            Map<String, Placement> placed) {
        Map<String, Resources> used = new HashMap<>();
        for (JobSnapshot job : jobs) {
            Placement placement = placed.getOrDefault(job.id(), Placement.NONE);
            Allocation allocation = placement.allocation();
            assertThat(allocation.isWithin(
                            Objects.requireNonNull(decision.byJob().get(job.id()))
                                    .allocation()))
                    .as(seed)
                    .isTrue();
            assertThat(allocation.isNone() || job.minimum().isWithin(allocation))
                    .as(seed)
                    .isTrue();
            placement.byNode().forEach((node, tasks) -> used.merge(node, job.resources(tasks), Resources::plus));
        }
        cluster.nodes().forEach(node -> assertThat(
                        used.getOrDefault(node.id(), Resources.NONE).fitsIn(node.available()))
                .as(seed)
                .isTrue());
    }

    private static Placement randomPlacement(Random random) {
        Map<String, Allocation> byNode = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            byNode.put("node-" + random.nextInt(7), new Allocation(random.nextInt(2), random.nextInt(3)));
        }
        return Placement.of(byNode);
    }

    private static Placement place(ClusterSnapshot cluster, JobSnapshot job, Allocation allocation) {
        AllocationDecision decision = AllocationDecision.of(
                Map.of(job.id(), new Decided(allocation, new AllocationReason.Stated("because"), false)));
        Placement placed =
                new OptimusPlacer().place(cluster, List.of(job), decision).get(job.id());
        return placed == null ? Placement.NONE : placed;
    }

    private static ClusterSnapshot nodes(int count, int gpus) {
        List<NodeSnapshot> nodes = new ArrayList<>();
        Resources capacity = Resources.of(16_000, 16, gpus);
        for (int i = 0; i < count; i++) {
            nodes.add(new NodeSnapshot("node-" + i, capacity, capacity));
        }
        return cluster(nodes);
    }

    private static ClusterSnapshot cluster(List<NodeSnapshot> nodes) {
        return new ClusterSnapshot(
                nodes, nodes.stream().map(NodeSnapshot::capacity).reduce(Resources.NONE, Resources::plus));
    }

    private static JobSnapshot job(String id, Placement current, boolean mayShrink) {
        return job(id, current, mayShrink, PS, WORKER);
    }

    private static JobSnapshot job(String id, Placement current, boolean mayShrink, Resources ps, Resources worker) {
        return new JobSnapshot(
                id,
                0,
                0,
                TrainingMode.SYNCHRONOUS,
                new RoleDemand(ps, 1, 8),
                new RoleDemand(worker, 1, 8),
                current,
                Optional.empty(),
                OptionalDouble.empty(),
                false,
                Optional.empty(),
                mayShrink,
                1,
                0);
    }
}
