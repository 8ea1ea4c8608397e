package io.optimus.yarn.promises;

import io.optimus.yarn.Await;
import io.optimus.yarn.read.FakeApplicationMaster;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.junit.Test;

/** Promises on nodes that come, go and change. */
public final class NodePromisesTest extends PromiseTest {
    @Test
    public void aNodeThatComesBackIsUsedAgain() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            Application application = startsOnEveryGpu(cluster, "promised", 1);
            NodeId lost = cluster.lose(3);
            Await.until("it lost a node", () -> after(cluster, application) == BusyCluster.GPUS - 4);
            if (tenant != Tenant.TRAINING_ON_OPTIMUS) {
                application.master().askAnywhere(1, BusyCluster.task(), 4);
            }
            cluster.join(lost.getPort());
            settlesAt(cluster, application, BusyCluster.GPUS);
        }
    }

    @Test
    public void aNodeThatGrowsIsUsed() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            Application application = start(cluster, "promised", "alice", BusyCluster.GPUS + 4);
            Await.until("it holds every GPU", () -> after(cluster, application) == BusyCluster.GPUS);
            cluster.resize(3, 8);
            settlesAt(cluster, application, BusyCluster.GPUS + 4);
        }
    }

    @Test
    public void aNodeThatShrinksTakesNoMinimumAway() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            Application application = startsOnEveryGpu(cluster, "promised", BusyCluster.GPUS);
            cluster.resize(3, 2);
            settlesAt(cluster, application, BusyCluster.GPUS);
        }
    }

    @Test
    public void tasksRunOnOnADecommissioningNodeWhereNoOtherHasRoom() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            Application application = startsOnEveryGpu(cluster, "promised", BusyCluster.GPUS);
            cluster.decommission(3);
            settlesAt(cluster, application, BusyCluster.GPUS);
        }
    }

    @Test
    public void aNodeIsUsedAgainOnceItIsOffTheBlacklist() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            String avoided = cluster.node(3).toString();
            master.allocate(AllocateRequest.newBuilder()
                    .resourceBlacklistRequest(ResourceBlacklistRequest.newInstance(List.of(avoided), List.of())));
            Application application = start(cluster, master, BusyCluster.GPUS, BusyCluster.task());
            settlesAt(cluster, application, BusyCluster.GPUS - 4);
            master.allocate(AllocateRequest.newBuilder()
                    .resourceBlacklistRequest(ResourceBlacklistRequest.newInstance(List.of(), List.of(avoided))));
            settlesAt(cluster, application, BusyCluster.GPUS);
        }
    }
}
