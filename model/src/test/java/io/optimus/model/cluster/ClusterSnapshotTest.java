package io.optimus.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Clusters;
import java.util.Map;
import org.junit.Test;

public final class ClusterSnapshotTest {
    private final ClusterSnapshot cluster = Clusters.of(2, Resources.of(8192, 8, 4));

    @Test
    public void hasLessRoomWhereItWasTaken() {
        ClusterSnapshot less = cluster.less(Map.of(Clusters.id(1), Resources.of(1024, 1, 3)));

        assertThat(less.nodes().get(0)).isEqualTo(cluster.nodes().get(0));
        assertThat(less.nodes().get(1).available()).isEqualTo(Resources.of(7168, 7, 1));
        assertThat(less.capacity()).isEqualTo(cluster.capacity());
        assertThat(less.budget()).isEqualTo(cluster.budget());
    }

    @Test
    public void anOvercommittedNodeTakesNothingFromTheOthers() {
        ClusterSnapshot less = cluster.less(Map.of(Clusters.id(0), Resources.of(0, 0, 9)));

        assertThat(less.available().amount(Resources.GPUS)).isEqualTo(4);
    }
}
