package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.Await;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints;
import org.junit.Test;

/** Promises on single requests: placement constraints, and containers that change their size. */
public final class RequestPromisesTest extends PromiseTest {
    @Test
    public void aSchedulingRequestIsPlacedByItsConstraint() throws Exception {
        try (BusyCluster cluster = cluster(Map.of("yarn.resourcemanager.placement-constraints.handler", "scheduler"))) {
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            PlacementConstraint apart = PlacementConstraints.targetNotIn(
                            PlacementConstraints.NODE, PlacementConstraints.PlacementTargets.allocationTag("task"))
                    .build();
            if (tenant == Tenant.TRAINING_ON_OPTIMUS) {
                Application training = start(cluster, master, 1, BusyCluster.task());
                settlesAt(cluster, training, 1);
                master.askScheduling(spread(apart));
                settlesAt(cluster, training, 1);
                return;
            }
            cluster.follow(master);
            master.askScheduling(spread(apart));
            Await.until("one task is on each node", () -> {
                cluster.heartbeat();
                return master.held() == 4;
            });
            for (int node = 0; node < 4; node++) {
                assertThat(master.held(cluster.node(node))).isEqualTo(1);
            }
        }
    }

    /** Four tasks. */
    private static SchedulingRequest spread(PlacementConstraint constraint) {
        return SchedulingRequest.newBuilder()
                .priority(Priority.newInstance(ScriptedTraining.WORKERS))
                .allocationRequestId(1)
                .executionType(ExecutionTypeRequest.newInstance(ExecutionType.GUARANTEED))
                .allocationTags(Set.of("task"))
                .resourceSizing(ResourceSizing.newInstance(4, BusyCluster.task()))
                .placementConstraintExpression(constraint)
                .build();
    }

    @Test
    public void aContainerBecomesLargerForAnOrdinaryApplicationOnly() throws Exception {
        boolean training = tenant == Tenant.TRAINING_ON_OPTIMUS;
        resizes(4, ContainerUpdateType.INCREASE_RESOURCE, !training);
    }

    @Test
    public void aContainerBecomesSmaller() throws Exception {
        resizes(1, ContainerUpdateType.DECREASE_RESOURCE, true);
    }

    /** Asks for {@code vcores}, with 512 MiB each, in place of the 2 of a container. */
    private void resizes(int vcores, ContainerUpdateType type, boolean expected) throws Exception {
        // YARN asks for more room by the name of the host alone, which says nothing of the nodes of a training job.
        String ports = String.valueOf(tenant == Tenant.TRAINING_ON_OPTIMUS);
        try (BusyCluster cluster = cluster(Map.of("yarn.scheduler.include-port-in-node-name", ports))) {
            Application application = start(
                    cluster, cluster.launch("promised", "alice", 0, ""), 1, LocalResourceManager.resource(1024, 2, 1));
            Resource size = LocalResourceManager.resource(512L * vcores, vcores, 1);
            settlesAt(cluster, application, 1);
            cluster.reportContainers();
            FakeApplicationMaster master = application.master();
            Container container = master.granted().get(0);
            AllocateResponse answer = master.allocate(AllocateRequest.newBuilder()
                    .updateRequests(List.of(UpdateContainerRequest.newInstance(
                            container.getVersion(), container.getId(), type, size, null))));
            assertThat(answer.getUpdateErrors()).isEmpty();
            for (int i = 0; i < 20; i++) {
                cluster.heartbeat();
                master.heartbeat();
            }
            assertThat(master.scheduled()
                            .getLiveContainersMap()
                            .get(container.getId())
                            .getAllocatedResource()
                            .equals(size))
                    .isEqualTo(expected);
        }
    }
}
