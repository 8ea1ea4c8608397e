package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.Await;
import io.optimus.yarn.read.FakeApplicationMaster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.NodeAttributeOpCode;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints.PlacementTargets;
import org.junit.Test;

/**
 * Promises on the nodes where requests are met. A plan chooses the nodes of a training job: what its ApplicationMaster requests
 * elsewhere is dropped.
 */
public final class LocalityPromisesTest extends PromiseTest {
    private static final int ON_ONE_NODE = 4;

    private Optional<ScriptedTraining> besides = Optional.empty();

    @Test
    public void aNodeThatAnApplicationInsistsOnIsTheOnlyOneThatItGets() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            beside(cluster);
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            Application application = starts(cluster, master);
            master.askPinned(ScriptedTraining.WORKERS, BusyCluster.task(), cluster.node(2), ON_ONE_NODE + 2);
            getsOnlyWhatItInsistsOn(cluster, application, ON_ONE_NODE);
            assertThat(master.held(cluster.node(2))).isEqualTo(tenant == Tenant.TRAINING_ON_OPTIMUS ? 0 : ON_ONE_NODE);
        }
    }

    @Test
    public void aRackThatAnApplicationInsistsOnIsTheOnlyOneThatItGets() throws Exception {
        // By default YARN waits for some heartbeats before it grants anything for a rack.
        try (BusyCluster cluster = cluster(Map.of("yarn.scheduler.capacity.node-locality-delay", "0"))) {
            beside(cluster);
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            Application application = starts(cluster, master);
            ask(master, ScriptedTraining.WORKERS, cluster.rack());
            ask(master, ScriptedTraining.WORKERS + 1, "/another-rack");
            getsOnlyWhatItInsistsOn(cluster, application, ON_ONE_NODE);
        }
    }

    private static void ask(FakeApplicationMaster master, int priority, String rack) throws Exception {
        master.allocate(AllocateRequest.newBuilder()
                .askList(List.of(
                        FakeApplicationMaster.ask(priority, BusyCluster.task(), rack, ON_ONE_NODE, true),
                        FakeApplicationMaster.ask(
                                priority, BusyCluster.task(), ResourceRequest.ANY, ON_ONE_NODE, false))));
    }

    @Test
    public void aSchedulingRequestIsMetOnNodesWithTheAttributeThatItNames() throws Exception {
        boolean training = tenant == Tenant.TRAINING_ON_OPTIMUS;
        // Attributes belong to hosts, and YARN does not find those of nodes whose names have ports.
        Map<String, String> settings = Map.of(
                "yarn.resourcemanager.placement-constraints.handler",
                "scheduler",
                "yarn.scheduler.include-port-in-node-name",
                String.valueOf(training));
        try (BusyCluster cluster = cluster(new HashMap<>(settings))) {
            cluster.attribute("disk", "fast");
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            Application application = starts(cluster, master);
            master.askScheduling(request(1, "fast"), request(2, "slow"));
            getsOnlyWhatItInsistsOn(cluster, application, ON_ONE_NODE);
        }
    }

    private static SchedulingRequest request(long id, String disk) {
        PlacementConstraint constraint = PlacementConstraints.targetNodeAttribute(
                        PlacementConstraints.NODE, NodeAttributeOpCode.EQ, PlacementTargets.nodeAttribute("disk", disk))
                .build();
        return SchedulingRequest.newBuilder()
                .priority(Priority.newInstance(ScriptedTraining.WORKERS))
                .allocationRequestId(id)
                .executionType(ExecutionTypeRequest.newInstance(ExecutionType.GUARANTEED))
                .allocationTags(Set.of(disk))
                .resourceSizing(ResourceSizing.newInstance(ON_ONE_NODE, BusyCluster.task()))
                .placementConstraintExpression(constraint)
                .build();
    }

    /** On the product's scheduler, a training job of another queue holds all GPUs that nobody else needs. */
    private void beside(BusyCluster cluster) throws Exception {
        if (tenant == Tenant.ORDINARY_ON_OPTIMUS) {
            ScriptedTraining training = cluster.training("busy", "bob", job(1, BusyCluster.GPUS, BusyCluster.task()));
            besides = Optional.of(training);
            Await.until("the job holds every GPU", () -> {
                cluster.heartbeat();
                training.step();
                return training.size() == BusyCluster.GPUS;
            });
        }
    }

    private int beat(BusyCluster cluster, Application application) throws Exception {
        if (besides.isPresent()) {
            besides.get().step();
        }
        return after(cluster, application);
    }

    /** A training job gets one task by its plan. */
    private Application starts(BusyCluster cluster, FakeApplicationMaster master) throws Exception {
        if (tenant == Tenant.TRAINING_ON_OPTIMUS) {
            Application application = start(cluster, master, 1, BusyCluster.task());
            settlesAt(cluster, application, 1);
            return application;
        }
        cluster.follow(master);
        return new Application(master, null);
    }

    private void getsOnlyWhatItInsistsOn(BusyCluster cluster, Application application, int tasks) throws Exception {
        int expected = tenant == Tenant.TRAINING_ON_OPTIMUS ? 1 : tasks;
        Await.until("it holds " + expected, () -> {
            return beat(cluster, application) == expected;
        });
        for (int i = 0; i < 60; i++) {
            assertThat(beat(cluster, application)).isEqualTo(expected);
        }
    }
}
