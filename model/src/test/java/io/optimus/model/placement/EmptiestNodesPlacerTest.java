package io.optimus.model.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public class EmptiestNodesPlacerTest {
    private static final ClusterSnapshot THREE_NODES = Clusters.ofGpus(3, 4);

    private final Map<String, AllocationDecision.Decided> decided = new HashMap<>();

    private JobSnapshot job(String id, int wanted, Placement current) {
        decided.put(
                id,
                new AllocationDecision.Decided(
                        new Allocation(1, wanted), new AllocationReason.Stated("as it is"), false));
        return Jobs.resnet(id).on(current).snapshot();
    }

    private PlacementDecision place(EmptiestNodesPlacer placer, JobSnapshot... jobs) {
        return placer.place(THREE_NODES, List.of(jobs), AllocationDecision.of(decided));
    }

    private static int[] workers(Placement placement) {
        return new int[] {
            placement.on(Clusters.id(0)).workers(),
            placement.on(Clusters.id(1)).workers(),
            placement.on(Clusters.id(2)).workers()
        };
    }

    @Test
    public void fillsTheEmptiestNodeFirst() {
        PlacementDecision placed = place(
                EmptiestNodesPlacer.fewestTasksFirst(),
                job("here", 2, Clusters.on(0, 1, 2)),
                job("there", 1, Clusters.on(1, 1, 1)),
                job("new", 6, Placement.NONE));

        assertThat(workers(placed.job("new").placement())).containsExactly(0, 2, 4);
    }

    @Test
    public void leavesJobsOfUnchangedSizeInPlaceAndMovesOthersWhole() {
        PlacementDecision placed = place(
                EmptiestNodesPlacer.fewestTasksFirst(),
                job("same", 3, Clusters.on(0, 1, 3)),
                job("grows", 2, Clusters.on(0, 1, 1)));

        assertThat(placed.job("same").placement()).isEqualTo(Clusters.on(0, 1, 3));
        assertThat(workers(placed.job("grows").placement())).containsExactly(0, 2, 0);
    }

    @Test
    public void leavesTheTasksOfAJobThatMayNotShrinkWhereTheyAre() {
        job("kept", 4, Clusters.on(0, 1, 3));
        JobSnapshot kept =
                Jobs.resnet("kept").on(Clusters.on(0, 1, 3)).mayNotShrink().snapshot();
        JobSnapshot first = job("first", 4, Placement.NONE);

        PlacementDecision placed =
                place(EmptiestNodesPlacer.inOrder(Comparator.comparing(JobSnapshot::id)), first, kept);

        assertThat(placed.job("kept").placement().on(Clusters.id(0))).isEqualTo(new Allocation(1, 3));
        assertThat(placed.job("kept").placement().allocation()).isEqualTo(new Allocation(1, 4));
        assertThat(placed.job("first").placement().allocation()).isEqualTo(new Allocation(1, 4));
    }

    @Test
    public void placesSmallJobsFirstOrInAGivenOrder() {
        JobSnapshot large = job("a", 5, Placement.NONE);
        JobSnapshot small = job("b", 1, Placement.NONE);

        assertThat(workers(place(EmptiestNodesPlacer.fewestTasksFirst(), large, small)
                        .job("b")
                        .placement()))
                .containsExactly(1, 0, 0);
        assertThat(workers(place(EmptiestNodesPlacer.inOrder(Comparator.comparing(JobSnapshot::id)), large, small)
                        .job("b")
                        .placement()))
                .containsExactly(0, 0, 1);
    }
}
