package io.optimus.yarn.enforce;

import static io.optimus.yarn.read.LocalResourceManager.resource;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.yarn.Await;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import io.optimus.yarn.read.TrainingApplication;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.jspecify.annotations.Nullable;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class GrantCeilingsTest {
    private static final int WORKERS = 10;
    private static final int SERVERS = 11;

    private LocalResourceManager yarn;
    private Resource task;
    private NodeId n1;
    private NodeId n2;
    private FakeApplicationMaster master;

    @Before
    public void start() throws Exception {
        yarn = LocalResourceManager.withQueues(
                List.of("default=100"), Map.of("yarn.resourcemanager.placement-constraints.handler", "scheduler"));
        task = resource(1024, 1, 1);
        n1 = yarn.node(1001, 16_384, 16, 4);
        n2 = yarn.node(1002, 16_384, 16, 4);
        master = yarn.launch("default", "alice", n1);
    }

    @After
    public void stop() {
        yarn.close();
    }

    private TrainingApplication training() {
        return new TrainingApplication(
                master.id(),
                Map.of(
                        Role.WORKER, new TrainingApplication.RoleShape(WORKERS, Resources.of(1024, 1, 1), 1, 8),
                        Role.PARAMETER_SERVER,
                                new TrainingApplication.RoleShape(SERVERS, Resources.of(512, 1, 0), 1, 4)));
    }

    private void plan(int serversOnN1, int workersOnN1, int workersOnN2) {
        Placement placement = Placement.of(Map.of(
                n1.toString(), new Allocation(serversOnN1, workersOnN1),
                n2.toString(), new Allocation(0, workersOnN2)));
        yarn.ceilings().put(master.id(), Ceiling.of(training(), placement));
    }

    private void run() throws Exception {
        yarn.heartbeat(4, n1, n2);
        master.heartbeat();
        master.heartbeat();
    }

    @Test
    public void grantsNoMoreThanThePlanAllows() throws Exception {
        plan(0, 2, 1);
        master.askPinned(WORKERS, task, n1, 4);
        run();
        assertThat(master.granted(n1)).isEqualTo(2);
        master.askPinned(WORKERS, task, n1, 4);
        run();
        assertThat(master.granted()).hasSize(2);
        assertThat(master.pending()).isZero();
    }

    /** Most heartbeats are like this, and every grant takes that lock. */
    @Test
    public void aCallWithoutRequestsTakesNoLockOfTheApplication() throws Exception {
        plan(0, 2, 1);
        GrantCeilings.Asks none = new GrantCeilings.Asks(List.of(), null, new ContainerUpdates());
        assertThat(whileLocked(() ->
                        yarn.ceilings().trim(master.attempt(), none, List.of()).asks()))
                .isSameAs(none);
    }

    @Test
    public void publishingTheSameCeilingTakesNoLockOfTheApplication() throws Exception {
        plan(0, 2, 1);
        assertThat(whileLocked(() -> {
                    plan(0, 2, 1);
                    return true;
                }))
                .isTrue();
    }

    private <T> T whileLocked(Supplier<T> call) throws Exception {
        FiCaSchedulerApp app = master.scheduled();
        app.getWriteLock().lock();
        try {
            return CompletableFuture.supplyAsync(call).get(10, TimeUnit.SECONDS);
        } finally {
            app.getWriteLock().unlock();
        }
    }

    @Test
    public void grantsEverythingWhilePlansAreNotEnforced() throws Exception {
        plan(0, 1, 0);
        yarn.ceilings().enforce(false);
        plan(0, 1, 0);
        assertThat(yarn.ceilings().governs(master.id())).isFalse();
        master.askPinned(WORKERS, task, n1, 3);
        run();
        assertThat(master.granted(n1)).isEqualTo(3);
        yarn.ceilings().enforce(true);
        plan(0, 1, 0);
        assertThat(yarn.ceilings().governs(master.id())).isTrue();
    }

    @Test
    public void withdrawsItsOwnRequestsOncePlansAreNotEnforced() throws Exception {
        yarn.ceilings().put(master.id(), Ceiling.of(training(), Placement.NONE, new Allocation(0, 6)));
        assertThat(master.pending()).isEqualTo(6);

        yarn.ceilings().enforce(false);

        assertThat(master.pending()).isZero();
        assertThat(master.scheduled().getAppAttemptResourceUsage().getPending().getMemorySize())
                .isZero();
        run();
        assertThat(master.granted()).isEmpty();
    }

    @Test
    public void pinsAsksForAnyNodeToThePlansNodes() throws Exception {
        plan(0, 1, 2);
        master.askAnywhere(WORKERS, task, 8);
        run();
        assertThat(master.granted(n1)).isEqualTo(1);
        assertThat(master.granted(n2)).isEqualTo(2);
        assertThat(master.granted()).hasSize(3);
    }

    @Test
    public void grantsMoreUnderALargerPlanAfterAnotherRequest() throws Exception {
        plan(0, 1, 0);
        master.askPinned(WORKERS, task, n1, 3);
        run();
        plan(0, 3, 0);
        master.askPinned(WORKERS, task, n1, 2);
        run();
        assertThat(master.granted(n1)).isEqualTo(3);
    }

    @Test
    public void lowersWhatIsPendingWhenThePlanShrinks() throws Exception {
        plan(0, 3, 0);
        master.askPinned(WORKERS, task, n1, 3);
        assertThat(master.pending()).isEqualTo(3);
        plan(0, 1, 0);
        assertThat(master.pending()).isEqualTo(1);
        assertThat(master.scheduled().getAppAttemptResourceUsage().getPending().getMemorySize())
                .isEqualTo(1024);
        run();
        assertThat(master.granted()).hasSize(1);
    }

    @Test
    public void appliesToAsksFromBeforeRegistration() throws Exception {
        master.askAnywhere(WORKERS, task, 8);
        plan(0, 0, 1);
        run();
        assertThat(master.granted(n2)).isEqualTo(1);
        assertThat(master.granted()).hasSize(1);
    }

    @Test
    public void countsRolesSeparatelyAndRefusesPrioritiesOfNoRole() throws Exception {
        plan(1, 1, 0);
        master.askPinned(WORKERS, task, n1, 2);
        master.askPinned(SERVERS, resource(512, 1, 0), n1, 2);
        master.askPinned(12, task, n1, 2);
        run();
        assertThat(master.granted())
                .extracting(container -> container.getPriority().getPriority())
                .containsExactlyInAnyOrder(WORKERS, SERVERS);
    }

    @Test
    public void refusesContainersLargerThanTheRoles() throws Exception {
        plan(0, 2, 0);
        master.askPinned(WORKERS, resource(1024, 1, 2), n1, 1);
        run();
        assertThat(master.granted()).isEmpty();
    }

    @Test
    public void givesNothingToSchedulingRequests() throws Exception {
        plan(0, 2, 0);
        master.askScheduling(SchedulingRequest.newInstance(
                7,
                Priority.newInstance(WORKERS),
                ExecutionTypeRequest.newInstance(),
                Set.of("workers"),
                ResourceSizing.newInstance(4, task),
                null));
        run();
        assertThat(master.granted()).isEmpty();
    }

    @Test
    public void withdrawsSchedulingRequestsFromBeforeRegistration() throws Exception {
        withdraws(
                PlacementConstraints.targetNotIn("node", PlacementConstraints.PlacementTargets.allocationTag("workers"))
                        .build());
    }

    @Test
    public void withdrawsSchedulingRequestsWithoutConstraint() throws Exception {
        withdraws(null);
    }

    @Test
    public void withdrawsSchedulingRequestsThatHaveTheSchedulersOwnId() throws Exception {
        withdraws(TrainingProtocol.GUARANTEED_REQUEST_ID, null);
    }

    private void withdraws(@Nullable PlacementConstraint constraint) throws Exception {
        withdraws(7, constraint);
    }

    private void withdraws(long id, @Nullable PlacementConstraint constraint) throws Exception {
        master.askScheduling(SchedulingRequest.newInstance(
                id,
                Priority.newInstance(WORKERS),
                ExecutionTypeRequest.newInstance(),
                Set.of("workers"),
                ResourceSizing.newInstance(4, task),
                constraint));
        QueueMetrics metrics = master.scheduled().getCSLeafQueue().getMetrics();
        assertThat(metrics.getPendingContainers()).isEqualTo(4);
        plan(0, 2, 0);
        assertThat(metrics.getPendingContainers()).isZero();
        assertThat(master.scheduled().getAppAttemptResourceUsage().getPending().getMemorySize())
                .isZero();
        assertThat(master.scheduled()
                        .getCSLeafQueue()
                        .getQueueResourceUsage()
                        .getPending()
                        .getMemorySize())
                .isZero();
        run();
        assertThat(master.granted()).isEmpty();
        master.askPinned(WORKERS, task, n1, 1);
        run();
        assertThat(master.granted(n1)).isEqualTo(1);
    }

    @Test
    public void givesNothingToOpportunisticAsks() throws Exception {
        plan(0, 2, 0);
        ResourceRequest ask = FakeApplicationMaster.ask(WORKERS, task, ResourceRequest.ANY, 2, true);
        ask.setExecutionTypeRequest(ExecutionTypeRequest.newInstance(ExecutionType.OPPORTUNISTIC, true));
        master.allocate(AllocateRequest.newBuilder().askList(List.of(ask)));
        run();
        assertThat(master.granted()).isEmpty();
    }

    private void askToGrow(Container container, Resource larger) throws Exception {
        master.allocate(AllocateRequest.newBuilder()
                .updateRequests(List.of(UpdateContainerRequest.newInstance(
                        container.getVersion(),
                        container.getId(),
                        ContainerUpdateType.INCREASE_RESOURCE,
                        larger,
                        null))));
    }

    @Test
    public void letsNoContainerGrow() throws Exception {
        plan(0, 1, 0);
        master.askPinned(WORKERS, task, n1, 1);
        run();
        Container container = master.granted().get(0);
        askToGrow(container, resource(4096, 1, 1));
        run();
        assertThat(yarn.scheduler().getRMContainer(container.getId()).getAllocatedResource())
                .isEqualTo(task);
        assertThat(master.scheduled().getSchedulerKeys()).isEmpty();
    }

    @Test
    public void withdrawsGrowthOfAContainerFromBeforeRegistration() throws Exception {
        master.askPinned(WORKERS, task, n1, 1);
        run();
        Container container = master.granted().get(0);
        askToGrow(container, resource(1024, 1, 4));
        assertThat(master.scheduled().getAppAttemptResourceUsage().getPending().getResourceValue("yarn.io/gpu"))
                .isEqualTo(3);

        plan(0, 1, 0);

        assertThat(master.scheduled().getSchedulerKeys()).isEmpty();
        assertThat(master.scheduled().getAppAttemptResourceUsage().getPending().getResourceValue("yarn.io/gpu"))
                .isZero();
        run();
        assertThat(yarn.scheduler().getRMContainer(container.getId()).getAllocatedResource())
                .isEqualTo(task);
        master.askPinned(WORKERS, task, n1, 1);
        run();
        assertThat(master.granted()).hasSize(1);
    }

    @Test
    public void neitherRequestsNorReservesOnAFullNode() throws Exception {
        FakeApplicationMaster ordinary = yarn.launch("default", "bob", n2);
        ordinary.askPinned(1, resource(1024, 1, 1), n1, 3);
        yarn.heartbeat(4, n1);
        ordinary.heartbeat();
        assertThat(ordinary.granted(n1)).isEqualTo(3);

        plan(0, 2, 0);
        master.askPinned(WORKERS, task, n1, 2);
        assertThat(master.pending()).isEqualTo(1);
        run();
        assertThat(master.granted(n1)).isEqualTo(1);
        assertThat(yarn.scheduler().getNode(n1).getReservedContainer()).isNull();
    }

    @Test
    public void dropsAReservationThatIsMadeAnyway() throws Exception {
        plan(0, 2, 0);
        master.askPinned(WORKERS, task, n1, 2);
        assertThat(master.pending()).isEqualTo(2);
        fillN1();
        yarn.heartbeat(3, n1);
        assertNothingIsReservedOrPending();
    }

    @Test
    public void dropsAReservationFromBeforeRegistration() throws Exception {
        fillN1();
        master.askPinned(WORKERS, task, n1, 2);
        yarn.heartbeat(3, n1);
        assertThat(yarn.scheduler().getNode(n1).getReservedContainer()).isNotNull();
        plan(0, 2, 0);
        yarn.heartbeat(1, n1);
        assertNothingIsReservedOrPending();
    }

    @Test
    public void dropsAReservationAndKeepsWhatIsPendingElsewhere() throws Exception {
        plan(0, 2, 2);
        master.allocate(AllocateRequest.newBuilder()
                .askList(List.of(
                        FakeApplicationMaster.ask(WORKERS, task, n1.toString(), 2, true),
                        FakeApplicationMaster.ask(WORKERS, task, n2.toString(), 2, true),
                        FakeApplicationMaster.ask(WORKERS, task, "/default-rack", 4, false),
                        FakeApplicationMaster.ask(WORKERS, task, ResourceRequest.ANY, 4, false))));
        fillN1();
        yarn.heartbeat(1, n1);
        assertThat(yarn.scheduler().getNode(n1).getReservedContainer()).isNull();
        assertThat(master.pending()).isEqualTo(2);
        run();
        assertThat(master.granted(n2)).isEqualTo(2);
        assertThat(master.granted()).hasSize(2);
    }

    /**
     * The reservation fills the queue, and YARN stops at the job, which is first in its order. Without the scheduler's help,
     * nobody would get the free GPU of the second node.
     */
    @Test
    public void aReservationOfAnotherApplicationDoesNotKeepAJobFromRoomElsewhere() throws Exception {
        FakeApplicationMaster other = yarn.launch("default", "bob", n1);
        other.askAnywhere(1, task, 20);
        yarn.heartbeat(4, n1, n2);
        other.heartbeat();
        other.heartbeat();
        assertThat(other.held()).isEqualTo(8);
        Container ends = other.granted().stream()
                .filter(container -> container.getNodeId().equals(n2))
                .findFirst()
                .orElseThrow();
        other.release(List.of(ends.getId()));
        yarn.heartbeat(1, n1);
        assertThat(other.scheduled().getReservedContainers()).hasSize(1);

        plan(0, 0, 1);
        master.askPinned(WORKERS, task, n2, 1);
        Await.until("the job has the room", () -> {
            yarn.heartbeat(1, n2, n1);
            return master.held(n2) == 1;
        });
        assertThat(other.held()).isEqualTo(7);
    }

    /** The queue has room for both, so the reservation keeps its place. */
    @Test
    public void aReservationOfAnotherApplicationStaysWhereTheQueueHasRoom() throws Exception {
        FakeApplicationMaster other = yarn.launch("default", "bob", n1);
        other.askPinned(1, task, n1, 5);
        yarn.heartbeat(4, n1);
        assertThat(other.held()).isEqualTo(4);
        assertThat(other.scheduled().getReservedContainers()).hasSize(1);

        plan(0, 0, 1);
        master.askPinned(WORKERS, task, n2, 1);
        yarn.heartbeat(1, n1, n2);
        assertThat(master.held(n2)).isEqualTo(1);
        yarn.heartbeat(1, n1, n2);
        assertThat(other.scheduled().getReservedContainers()).hasSize(1);
    }

    private void assertNothingIsReservedOrPending() {
        assertThat(yarn.scheduler().getNode(n1).getReservedContainer()).isNull();
        assertThat(master.scheduled().getReservedContainers()).isEmpty();
        assertThat(master.pending()).isZero();
        assertThat(master.scheduled().getAppAttemptResourceUsage().getReserved().getMemorySize())
                .isZero();
    }

    /** Takes all GPUs of n1, as another application would that was first. */
    private void fillN1() {
        yarn.scheduler().getNode(n1).deductUnallocatedResource(resource(0, 0, 4));
    }

    @Test
    public void admitsASwapOnAFullNode() throws Exception {
        plan(0, 4, 0);
        master.askPinned(WORKERS, task, n1, 4);
        run();
        assertThat(master.granted(n1)).isEqualTo(4);
        Container old = master.granted().get(0);
        master.allocate(AllocateRequest.newBuilder()
                .releaseList(List.of(old.getId()))
                .askList(List.of(
                        FakeApplicationMaster.ask(WORKERS, task, n1.toString(), 1, true),
                        FakeApplicationMaster.ask(WORKERS, task, "/default-rack", 1, false),
                        FakeApplicationMaster.ask(WORKERS, task, ResourceRequest.ANY, 1, false))));
        run();
        assertThat(master.granted(n1)).isEqualTo(5);
    }

    @Test
    public void leavesOrdinaryApplicationsAlone() throws Exception {
        plan(0, 1, 0);
        FakeApplicationMaster ordinary = yarn.launch("default", "bob", n2);
        GrantCeilings.Asks asks = new GrantCeilings.Asks(
                List.of(FakeApplicationMaster.ask(1, task, ResourceRequest.ANY, 6, true)),
                null,
                new ContainerUpdates());
        assertThat(yarn.ceilings().trim(ordinary.attempt(), asks, List.of()).asks())
                .isSameAs(asks);
        ordinary.askAnywhere(1, task, 6);
        yarn.heartbeat(6, n1, n2);
        ordinary.heartbeat();
        assertThat(ordinary.granted()).hasSize(6);
    }

    @Test
    public void isOpenAgainOnceRemoved() throws Exception {
        plan(0, 1, 0);
        yarn.ceilings().remove(master.id());
        master.askAnywhere(WORKERS, task, 5);
        yarn.heartbeat(6, n1, n2);
        master.heartbeat();
        assertThat(master.granted()).hasSize(5);
    }

    @Test
    public void keepsNoCeilingOfAnApplicationThatTheSchedulerDoesNotKnow() {
        ApplicationId gone = ApplicationId.newInstance(1, 1);

        yarn.ceilings().put(gone, Ceiling.NOTHING);

        assertThat(yarn.ceilings().governs(gone)).isFalse();
    }

    @Test
    public void keepsWithinThePlanWhileAsksGrantsAndReleasesRace() throws Exception {
        plan(0, 3, 0);
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread nodes = new Thread(() -> {
            try {
                while (!done.get()) {
                    yarn.heartbeat(1, n1);
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        nodes.start();
        try {
            int seen = 0;
            for (int i = 0; i < 200; i++) {
                master.askPinned(WORKERS, task, n1, 8);
                assertThat(heldAndPending()).isLessThanOrEqualTo(3);
                if (i % 5 == 4) {
                    List<Container> granted = master.granted();
                    master.release(granted.subList(seen, granted.size()).stream()
                            .map(Container::getId)
                            .toList());
                    seen = granted.size();
                }
            }
        } finally {
            done.set(true);
            nodes.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(master.granted()).hasSizeGreaterThan(10);
    }

    /** The containers that are held and requested at one moment. */
    private int heldAndPending() {
        master.scheduled().getWriteLock().lock();
        try {
            // The ApplicationMaster's own container does not count.
            return master.scheduled().getLiveContainers().size() - 1 + master.pending();
        } finally {
            master.scheduled().getWriteLock().unlock();
        }
    }
}
