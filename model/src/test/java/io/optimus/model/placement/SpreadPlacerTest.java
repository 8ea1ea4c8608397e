package io.optimus.model.placement;

import static io.optimus.model.Clusters.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.AllocationReason.Stated;
import io.optimus.model.decision.PlacementReason;
import io.optimus.model.job.Placement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.Test;

public class SpreadPlacerTest {
    private final SpreadPlacer placer = new SpreadPlacer();

    private PlacementDecision.Placed place(ClusterSnapshot cluster, Jobs job, int servers, int workers) {
        return place(cluster, Map.of(job, new Allocation(servers, workers)))
                .job(job.snapshot().id());
    }

    private PlacementDecision place(ClusterSnapshot cluster, Map<Jobs, Allocation> sizes) {
        Map<String, Decided> decided = new HashMap<>();
        sizes.forEach((job, size) -> decided.put(job.snapshot().id(), new Decided(size, new Stated("test"), false)));
        return placer.place(
                cluster, sizes.keySet().stream().map(Jobs::snapshot).toList(), AllocationDecision.of(decided));
    }

    private static ClusterSnapshot nodes(int... gpus) {
        return Clusters.of(IntStream.range(0, gpus.length)
                .mapToObj(node -> {
                    Resources capacity = Resources.of(1 << 20, 256, gpus[node]);
                    return new NodeSnapshot(Clusters.id(node), capacity, capacity);
                })
                .toList());
    }

    @Test
    public void putsEachTaskOnTheNodeWithMostFreeResources() {
        PlacementDecision.Placed placed = place(nodes(4, 4, 3), Jobs.resnet("a").withoutServers(), 0, 4);

        assertThat(placed.placement().byNode())
                .isEqualTo(Map.of(Clusters.id(0), new Allocation(0, 2), Clusters.id(1), new Allocation(0, 2)));
        assertThat(placed.reason().sentence())
                .isEqualTo("on 2 nodes, each task on the node with the most free resources");
    }

    @Test
    public void comparesNodesByTheDominantResourceOfTheTask() {
        Resources gpuNode = Resources.of(1000, 10, 8);
        Resources coreNode = Resources.of(1000, 100, 0);
        ClusterSnapshot cluster = Clusters.of(List.of(
                new NodeSnapshot(Clusters.id(0), gpuNode, gpuNode),
                new NodeSnapshot(Clusters.id(1), coreNode, coreNode)));
        Jobs job = Jobs.resnet("a").servers(Resources.of(1, 2, 0), 1, 4).workers(Resources.of(1, 1, 1), 1, 4);

        assertThat(place(cluster, job, 2, 2).placement().byNode())
                .isEqualTo(Map.of(Clusters.id(0), new Allocation(0, 2), Clusters.id(1), new Allocation(2, 0)));
    }

    @Test
    public void leavesRunningTasksWhereTheyAre() {
        Jobs running = Jobs.resnet("a").on(on(0, 1, 2));

        assertThat(place(nodes(4, 8), running, 1, 2).reason().sentence())
                .isEqualTo("its tasks stay where they are, on 1 node");
        PlacementDecision.Placed grown = place(nodes(4, 8), running, 2, 4);
        assertThat(new Allocation(1, 2).isWithin(grown.placement().on(Clusters.id(0))))
                .isTrue();
        assertThat(grown.placement().on(Clusters.id(1)).workers()).isEqualTo(2);
        assertThat(grown.reason()).isInstanceOf(PlacementReason.AddedTo.class);
    }

    @Test
    public void placesAsManyTasksOfBothRolesAsFit() {
        PlacementDecision.Placed placed = place(nodes(2, 1), Jobs.resnet("a"), 8, 8);

        assertThat(placed.placement().allocation().workers()).isEqualTo(3);
        assertThat(placed.placement().allocation().parameterServers()).isBetween(2, 3);
        assertThat(placed.reason()).isInstanceOf(PlacementReason.Shrunk.class);
    }

    @Test
    public void placesTheMinimumOrNothing() {
        PlacementDecision.Placed placed =
                place(nodes(3, 3), Jobs.resnet("a").workers(Resources.of(1, 1, 2), 3, 8), 1, 3);

        assertThat(placed.placement()).isEqualTo(Placement.NONE);
        assertThat(placed.reason()).isInstanceOf(PlacementReason.Waits.class);
    }

    @Test
    public void movesTasksBeyondMinimumsRatherThanLetAJobWait() {
        // A worker takes 2 GPUs: the worker of b fits only if a leaves one of its nodes.
        Jobs a = Jobs.resnet("a")
                .withoutServers()
                .on(Placement.of(Map.of(Clusters.id(0), new Allocation(0, 1), Clusters.id(1), new Allocation(0, 1))));
        Jobs b = Jobs.resnet("b").withoutServers().workers(Resources.of(1, 1, 2), 1, 1);

        PlacementDecision placed = place(nodes(2, 2), Map.of(a, new Allocation(0, 2), b, new Allocation(0, 1)));

        assertThat(placed.job("b").placement().allocation().workers()).isEqualTo(1);
        assertThat(placed.job("a").placement().allocation().workers()).isEqualTo(2);
    }
}
