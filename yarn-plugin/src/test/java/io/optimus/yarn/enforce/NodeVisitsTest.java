package io.optimus.yarn.enforce;

import static io.optimus.yarn.read.LocalResourceManager.resource;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.yarn.Await;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import io.optimus.yarn.read.TrainingApplication;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class NodeVisitsTest {
    private static final int WORKERS = 10;
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong nanos = new AtomicLong();
    private LocalResourceManager yarn;
    private NodeId node;
    private NodeVisits visits;

    @Before
    public void start() throws Exception {
        yarn = LocalResourceManager.withQueues("default=100");
        node = yarn.node(1001, 16_384, 16, 8);
        visits = new NodeVisits(yarn.scheduler(), nanos::get);
    }

    @After
    public void stop() {
        yarn.close();
    }

    private FakeApplicationMaster training(int workers) throws Exception {
        FakeApplicationMaster master = yarn.launch("default", "alice", node);
        TrainingApplication training = new TrainingApplication(
                master.id(),
                Map.of(Role.WORKER, new TrainingApplication.RoleShape(WORKERS, Resources.of(1024, 1, 1), 1, 8)));
        Placement placement = Placement.of(Map.of(node.toString(), new Allocation(0, workers)));
        yarn.ceilings().put(master.id(), Ceiling.of(training, placement));
        return master;
    }

    @Test
    public void aRequestForANodeIsGrantedBeforeTheNodesNextHeartbeat() throws Exception {
        FakeApplicationMaster master = training(3);
        yarn.heartbeat(1, node);
        master.askPinned(WORKERS, resource(1024, 1, 1), node, 3);
        Await.until("three workers without a heartbeat", () -> {
            master.heartbeat();
            return master.granted(node) == 3;
        });
    }

    @Test
    public void applicationsThatAskAgainAndAgainCauseOneVisitAHeartbeat() throws Exception {
        FakeApplicationMaster master = training(8);
        yarn.heartbeat(1, node);
        for (int wanted = 1; wanted <= 8; wanted++) {
            master.askPinned(WORKERS, resource(1024, 1, 1), node, 1);
        }
        yarn.heartbeat(1, node);
        assertThat(visited()).isEqualTo(1);
    }

    @Test
    public void aNodeIsVisitedAgainAfterEachHeartbeat() {
        visits.handled(heartbeat());
        visits.visit(List.of(node));
        visits.visit(List.of(node));
        visits.handled(heartbeat());
        visits.visit(List.of(node));
        Await.until("two visits", () -> visited() == 2);
    }

    @Test
    public void aNodeThatFellSilentIsNotVisited() throws Exception {
        visits.handled(heartbeat());
        nanos.addAndGet(3 * INTERVAL_NANOS);
        visits.visit(List.of(node));
        yarn.heartbeat(1, node);
        assertThat(visited()).isZero();
    }

    @Test
    public void aNodeThatLeftIsNotVisited() throws Exception {
        visits.handled(heartbeat());
        visits.left(node);
        visits.visit(List.of(node));
        yarn.heartbeat(1, node);
        assertThat(visited()).isZero();
    }

    private NodeUpdateSchedulerEvent heartbeat() {
        RMNode known = yarn.resourceManager().getRMContext().getRMNodes().get(node);
        return new NodeUpdateSchedulerEvent(known);
    }

    private long visited() {
        return ((CeilingScheduler) yarn.scheduler()).visits();
    }
}
