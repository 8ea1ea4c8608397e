package io.optimus.model.policy.goodput;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeRoom;
import io.optimus.model.policy.division.Division;
import java.util.List;
import org.junit.Test;

public class SizeValuesTest {
    private static List<Allocation> chain(Jobs job) {
        ClusterSnapshot cluster = Clusters.ofGpus(1, 8);
        Division division = Division.byAge(cluster, Jobs.snapshots(job));
        return new SizeValues(division, division.participants().get(0), new NodeRoom(cluster))
                .sizes().stream().map(SizeValues.Size::tasks).toList();
    }

    @Test
    public void growsByTheLargestGainAndEndsWithoutGain() {
        Jobs job = Jobs.small("a")
                .servers(Jobs.WORKER, 1, 8)
                .speed(size -> Math.min(size.workers(), 3) + 0.1 * Math.min(size.parameterServers(), 2));

        assertThat(chain(job))
                .containsExactly(
                        new Allocation(1, 1), new Allocation(1, 2), new Allocation(1, 3), new Allocation(2, 3));
    }

    /** Six tasks are slower than four on one node, ten are faster. */
    @Test
    public void skipsSlowerSizesThatOutgrowANode() {
        Jobs job = Jobs.small("a")
                .servers(Jobs.WORKER, 1, 8)
                .speed(size -> Math.min(size.parameterServers(), size.workers()) * (size.tasks() > 4 ? 0.5 : 1));

        assertThat(chain(job))
                .startsWith(new Allocation(1, 1), new Allocation(2, 2))
                .endsWith(new Allocation(8, 8));
    }
}
