package io.optimus.yarn.enforce;

import static io.optimus.yarn.read.LocalResourceManager.resource;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.Placement;
import io.optimus.yarn.AuditLog;
import io.optimus.yarn.Await;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterReader;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import io.optimus.yarn.read.NodeGpuTypes;
import io.optimus.yarn.read.SchedulerChanges;
import io.optimus.yarn.read.TrainingApplication;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.junit.Test;

public class SchedulerEnforcementEventsTest {
    private static final int WORKERS = 10;

    private static TrainingApplication training(FakeApplicationMaster master) {
        return new TrainingApplication(
                master.id(),
                Map.of(Role.WORKER, new TrainingApplication.RoleShape(WORKERS, Resources.of(1024, 1, 1), 1, 8)));
    }

    private static Ceiling ceiling(FakeApplicationMaster master, NodeId node, int workers) {
        return Ceiling.of(training(master), Placement.of(Map.of(node.toString(), new Allocation(0, workers))));
    }

    private static List<ApplicationUsage> usages(LocalResourceManager yarn, FakeApplicationMaster master) {
        return new ClusterReader(
                        yarn.scheduler(),
                        new NodeGpuTypes(yarn.scheduler(), () -> GpuTypes.ALIKE),
                        new SchedulerChanges(),
                        new ClusterReader.Times(() -> 0, () -> 0))
                .read(List.of(training(master))).queues().stream()
                        .flatMap(queue -> queue.usages().stream())
                        .toList();
    }

    private static void takesBackByContractFirst(LocalResourceManager yarn) throws Exception {
        NodeId node = yarn.node(1001, 16_384, 16, 4);
        FakeApplicationMaster master = yarn.launch("default", "alice", node);
        yarn.ceilings().put(master.id(), ceiling(master, node, 3));
        master.askPinned(WORKERS, resource(1024, 1, 1), node, 3);
        yarn.heartbeat(4, node);
        master.heartbeat();
        assertThat(master.granted()).hasSize(3);

        Map<ApplicationId, Ceiling> plan = Map.of(master.id(), ceiling(master, node, 1));
        plan.forEach(yarn.ceilings()::put);
        ShrinkEnforcer enforcer = new ShrinkEnforcer(() -> new ShrinkEnforcer.Times(1000, 500));
        Enforcement events = enforcement(yarn);
        events.carryOut(enforcer.advance(0, usages(yarn, master), plan));
        events.carryOut(enforcer.advance(1000, usages(yarn, master), plan));
        List<ContainerId> youngest =
                master.granted().stream().map(Container::getId).sorted().skip(1).toList();
        assertThat(contract(yarn, node, master)).containsExactlyInAnyOrderElementsOf(youngest);
        assertThat(usages(yarn, master).get(0).containers()).hasSize(3);

        events.carryOut(enforcer.advance(1500, usages(yarn, master), plan));
        Await.until(
                "two containers are gone",
                () -> usages(yarn, master).get(0).containers().size() == 1);
        AllocateResponse response = master.heartbeat();
        assertThat(response.getCompletedContainersStatuses()).allSatisfy(status -> {
            assertThat(status.getExitStatus()).isEqualTo(ContainerExitStatus.PREEMPTED);
            assertThat(youngest).contains(status.getContainerId());
        });
        assertThat(enforcer.advance(9000, usages(yarn, master), plan)).isEmpty();
    }

    private static List<ContainerId> contract(LocalResourceManager yarn, NodeId node, FakeApplicationMaster master)
            throws Exception {
        // Events are handled in order: after this heartbeat, the marks have been handled, too.
        yarn.heartbeat(1, node);
        AllocateResponse response = master.heartbeat();
        assertThat(response.getPreemptionMessage()).isNotNull();
        return response.getPreemptionMessage().getContract().getContainers().stream()
                .map(PreemptionContainer::getId)
                .toList();
    }

    @Test
    public void takesBackByContractFirst() throws Exception {
        try (LocalResourceManager yarn = LocalResourceManager.withQueues("default=100");
                AuditLog audit = new AuditLog()) {
            takesBackByContractFirst(yarn);
            assertThat(audit.lines("Ask Back Training Container")).hasSize(2).allSatisfy(line -> assertThat(line)
                    .contains("USER=alice", "TARGET=OptimusScheduler", "APPID=application_", "CONTAINERID=container_"));
            assertThat(audit.lines("Kill Training Container")).hasSize(2);
        }
    }

    @Test
    public void takesBackIfPreemptionIsLazy() throws Exception {
        try (LocalResourceManager yarn = LocalResourceManager.withQueues(
                List.of("default=100"), Map.of("yarn.scheduler.capacity.lazy-preemption-enabled", "true"))) {
            takesBackByContractFirst(yarn);
        }
    }

    private static Enforcement enforcement(LocalResourceManager yarn) {
        return new SchedulerEnforcement(yarn.scheduler(), new GrantCeilings(yarn.scheduler()));
    }

    @Test
    public void neverTouchesTheApplicationMaster() throws Exception {
        try (LocalResourceManager yarn = LocalResourceManager.withQueues("default=100")) {
            NodeId node = yarn.node(1001, 16_384, 16, 4);
            FakeApplicationMaster master = yarn.launch("default", "alice", node);
            assertThat(usages(yarn, master).get(0).containers()).isEmpty();
            ContainerId own = ContainerId.newContainerId(master.attempt(), 1);
            assertThat(yarn.scheduler().getRMContainer(own)).isNotNull();
            enforcement(yarn).carryOut(List.of(ShrinkAction.message(own), ShrinkAction.kill(own)));
            yarn.heartbeat(2, node);
            assertThat(master.heartbeat().getPreemptionMessage()).isNull();
            assertThat(yarn.scheduler().getRMContainer(own)).isNotNull();
        }
    }
}
