package io.optimus.yarn.read;

import static io.optimus.yarn.read.LocalResourceManager.resource;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.Placement;
import io.optimus.yarn.Await;
import io.optimus.yarn.round.RoundTrigger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeAttribute;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The cluster has two nodes with 16 GiB, 16 cores and 4 GPUs each; an ApplicationMaster takes 256 MiB and a core. */
public class ClusterReaderTest {
    private static final int WORKERS = 10;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private LocalResourceManager yarn;
    private NodeId n1;
    private NodeId n2;

    @Before
    public void start() throws Exception {
        yarn = LocalResourceManager.withQueues("research=50", "service=50");
        n1 = yarn.node(1001, 16_384, 16, 4);
        n2 = yarn.node(1002, 16_384, 16, 4);
    }

    @After
    public void stop() {
        yarn.close();
    }

    private static TrainingApplication training(FakeApplicationMaster master, int max) {
        return new TrainingApplication(
                master.id(),
                Map.of(Role.WORKER, new TrainingApplication.RoleShape(WORKERS, Resources.of(1024, 1, 1), 1, max)));
    }

    private ClusterView read(TrainingApplication... applications) {
        return new ClusterReader(
                        yarn.scheduler(),
                        new NodeGpuTypes(yarn.scheduler(), () -> GpuTypes.ALIKE),
                        new SchedulerChanges(),
                        new ClusterReader.Times(() -> 0, () -> 0))
                .read(Arrays.asList(applications));
    }

    private QueueView only(TrainingApplication... applications) {
        ClusterView view = read(applications);
        assertThat(view.queues()).hasSize(1);
        return view.queues().get(0);
    }

    private void grant(FakeApplicationMaster master, int priority, NodeId node, int count) throws Exception {
        master.askPinned(priority, resource(1024, 1, 1), node, count);
        yarn.heartbeat(count + 1, node);
        master.heartbeat();
        assertThat(master.granted(node)).isEqualTo(count);
    }

    private static NodeSnapshot node(QueueView queue, NodeId id) {
        return queue.cluster().nodes().stream()
                .filter(node -> node.id().equals(id.toString()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    public void seesNothingWithoutTrainingApplications() throws Exception {
        yarn.launch("research", "alice", n1);
        assertThat(read().queues()).isEmpty();
    }

    @Test
    public void givesIdleCapacityOfOtherQueuesOnTopOfTheGuarantee() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        QueueView queue = only(training(job, 8));
        assertThat(queue.queue()).isEqualTo("root.research");
        assertThat(queue.partition()).isEmpty();
        assertThat(queue.ordinary().used()).isEqualTo(Resources.of(256, 1, 0));
        assertThat(queue.cluster().budget()).isEqualTo(Resources.of(32_768 - 256, 31, 8));
        assertThat(node(queue, n1).capacity()).isEqualTo(Resources.of(16_384, 16, 4));
        assertThat(node(queue, n1).available()).isEqualTo(Resources.of(16_384 - 256, 15, 4));
        assertThat(node(queue, n2).available()).isEqualTo(Resources.of(16_384, 16, 4));
    }

    @Test
    public void readsTheTypeOfGpusFromTheAdministratorBeforeTheNode() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        assertThat(node(only(training(job, 8)), n1).gpuType()).isEmpty();

        yarn.attribute(NodeAttribute.PREFIX_DISTRIBUTED, "gpu-type", "v100");
        assertThat(node(only(training(job, 8)), n1).gpuType()).isEqualTo("v100");

        yarn.attribute(NodeAttribute.PREFIX_CENTRALIZED, "gpu-type", "a100");
        assertThat(node(only(training(job, 8)), n1).gpuType()).isEqualTo("a100");
        NodeGpuTypes gpus = new NodeGpuTypes(yarn.scheduler(), () -> new GpuTypes(new TreeMap<>(Map.of("a100", 2.5))));
        assertThat(gpus.ofNode(n1.toString())).isEqualTo(2.5);
        assertThat(gpus.ofNode("elsewhere:9")).isEqualTo(1);
        assertThat(gpus.ofNode("no node id")).isEqualTo(1);
    }

    @Test
    public void leavesReleasedResourcesToTrainingBeforeTheNodeReportsThem() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        grant(job, WORKERS, n2, 3);
        ContainerId given = job.granted().get(0).getId();
        yarn.scheduler().getNode(n2).containerStarted(given);
        job.release(List.of(given));

        ClusterView view = read(training(job, 8));
        QueueView queue = view.queues().get(0);
        assertThat(queue.usages().get(0).live().allocation()).isEqualTo(new Allocation(0, 2));
        assertThat(node(queue, n2).available()).isEqualTo(Resources.of(16_384, 16, 4));
        assertThat(queue.cluster().budget()).isEqualTo(Resources.of(32_768 - 256, 31, 8));
        assertThat(view.free()).containsEntry(n2.toString(), Resources.of(16_384 - 3072, 13, 1));
    }

    @Test
    public void isNotMisledByTasksThatComeAndGoWhileItReads() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        TrainingApplication training = training(job, 8);
        CompletableFuture<Void> comingAndGoing = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 200; i++) {
                comeAndGo(job);
            }
        });
        do {
            QueueView queue = only(training);
            assertThat(node(queue, n1).available()).isEqualTo(Resources.of(16_384 - 256, 15, 4));
            assertThat(node(queue, n2).available()).isEqualTo(Resources.of(16_384, 16, 4));
            assertThat(queue.ordinary().used()).isEqualTo(Resources.of(256, 1, 0));
            assertThat(queue.cluster().budget()).isEqualTo(Resources.of(32_768 - 256, 31, 8));
        } while (!comingAndGoing.isDone());
        comingAndGoing.get();
    }

    @Test
    public void countsTasksThatAreGrantedWhileItReadsAsHeldOrAsFree() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        TrainingApplication training = training(job, 8);
        for (int moment = 1; moment <= 6; moment++) {
            AtomicInteger until = new AtomicInteger(Integer.MAX_VALUE);
            LongSupplier clock = () -> {
                if (until.decrementAndGet() == 0) {
                    come(job);
                }
                return 0;
            };
            ClusterReader reader = new ClusterReader(
                    yarn.scheduler(),
                    new NodeGpuTypes(yarn.scheduler(), () -> GpuTypes.ALIKE),
                    new SchedulerChanges(),
                    new ClusterReader.Times(clock, () -> 0));
            reader.read(List.of(training));
            until.set(moment);
            ClusterView view = reader.read(List.of(training));
            int held = view.queues().get(0).usages().get(0).live().allocation().workers();
            assertThat(view.free().getOrDefault(n2.toString(), Resources.NONE).amount(Resources.GPUS) + held)
                    .as("GPUs that are free or held where tasks come when the clock is read for time " + moment)
                    .isGreaterThanOrEqualTo(4);
            go(job);
        }
    }

    private void comeAndGo(FakeApplicationMaster job) {
        come(job);
        go(job);
    }

    private void come(FakeApplicationMaster job) {
        try {
            job.askPinned(WORKERS, resource(1024, 1, 1), n2, 4);
            yarn.heartbeat(5, n2);
            job.heartbeat();
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    /** Releases the last four containers, if YARN has granted any. */
    private static void go(FakeApplicationMaster job) {
        try {
            job.release(job.granted().stream()
                    .skip(Math.max(0, job.granted().size() - 4))
                    .map(Container::getId)
                    .toList());
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    @Test
    public void countsOnlyTheResourcesThatTrainingHoldsAsAvailable() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster ordinary = yarn.launch("research", "bob", n1);
        grant(job, WORKERS, n1, 2);
        grant(ordinary, 1, n1, 1);
        QueueView queue = only(training(job, 8));
        assertThat(node(queue, n1).available()).isEqualTo(Resources.of(16_384 - 512 - 1024, 13, 3));
        assertThat(queue.trainingHeld()).isEqualTo(Resources.of(2048, 2, 2));
        assertThat(queue.ordinary().used()).isEqualTo(Resources.of(512 + 1024, 3, 1));
        assertThat(queue.cluster().budget().amount(Resources.GPUS)).isEqualTo(7);
        ApplicationUsage usage = queue.usages().get(0);
        assertThat(usage.live()).isEqualTo(Placement.of(Map.of(n1.toString(), new Allocation(0, 2))));
        assertThat(usage.user()).isEqualTo("alice");
        assertThat(usage.containers()).hasSize(2);
    }

    @Test
    public void countsAContainerThatIsLargerThanATaskForNone() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        job.askPinned(WORKERS, resource(1024, 1, 2), n2, 1);
        yarn.heartbeat(2, n2);
        grant(job, WORKERS, n1, 1);
        QueueView queue = only(training(job, 8));
        ApplicationUsage usage = queue.usages().get(0);
        assertThat(usage.live()).isEqualTo(Placement.of(Map.of(n1.toString(), new Allocation(0, 1))));
        assertThat(usage.containers()).hasSize(2);
        assertThat(queue.trainingHeld()).isEqualTo(Resources.of(2048, 2, 3));
    }

    @Test
    public void readsOtherJobsIfOneCannotBeRead() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster broken = yarn.launch("research", "bob", n1);
        Container nameless = Container.newInstance(
                ContainerId.newContainerId(broken.attempt(), 99), n2, "", resource(1024, 1, 1), null, null);
        broken.scheduled()
                .addRMContainer(
                        nameless.getId(),
                        new RMContainerImpl(
                                nameless,
                                null,
                                broken.attempt(),
                                n2,
                                "bob",
                                yarn.resourceManager().getRMContext()));

        QueueView queue = only(training(job, 8), training(broken, 8));

        assertThat(queue.usages()).extracting(usage -> usage.application().id()).containsExactly(job.id());
    }

    @Test
    public void countsPendingRequestsAsNoTasks() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        job.askPinned(WORKERS, resource(1024, 1, 1), n2, 3);
        ApplicationUsage usage = only(training(job, 8)).usages().get(0);
        assertThat(usage.live()).isEqualTo(Placement.NONE);
    }

    @Test
    public void pendingDemandOfOrdinaryApplicationsInTheQueueLowersTheBudget() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster ordinary = yarn.launch("research", "bob", n1);
        grant(job, WORKERS, n1, 4);
        grant(job, WORKERS, n2, 4);
        long before = only(training(job, 8)).cluster().budget().amount(Resources.GPUS);
        ordinary.askAnywhere(1, resource(1024, 1, 1), 3);
        QueueView queue = only(training(job, 8));
        assertThat(before).isEqualTo(8);
        assertThat(queue.ordinary().pending()).isEqualTo(Resources.of(3072, 3, 3));
        assertThat(queue.cluster().budget().amount(Resources.GPUS)).isEqualTo(5);
        assertThat(RoundTrigger.of(queue)).contains(RoundTrigger.ORDINARY_DEMAND);
    }

    @Test
    public void lowersTheBudgetIfAUsersTrainingBlocksTheUsersOrdinaryDemand() throws Exception {
        withQueues(Map.of("yarn.scheduler.capacity.root.research.user-limit-factor", "1"));
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster other = yarn.launch("research", "bob", n1);
        FakeApplicationMaster ordinary = yarn.launch("research", "alice", n1);
        grant(job, WORKERS, n1, 4);
        grant(other, WORKERS, n2, 1);
        assertThat(RoundTrigger.of(only(training(job, 8), training(other, 8)))).isEmpty();
        ordinary.askAnywhere(1, resource(1024, 1, 1), 2);
        QueueView queue = only(training(job, 8), training(other, 8));
        assertThat(queue.heldByUser())
                .containsExactly(entry("alice", Resources.of(4096, 4, 4)), entry("bob", Resources.of(1024, 1, 1)));
        assertThat(queue.trainingHeld().fitsIn(queue.cluster().budget())).isTrue();
        assertThat(RoundTrigger.of(queue)).contains(RoundTrigger.ORDINARY_DEMAND);
    }

    @Test
    public void pendingDemandOfAQueueUnderItsGuaranteeLowersTheBudget() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster service = yarn.launch("service", "bob", n1);
        service.askAnywhere(1, resource(1024, 1, 1), 3);
        assertThat(only(training(job, 8)).cluster().budget().amount(Resources.GPUS))
                .isEqualTo(5);
        service.askAnywhere(1, resource(1024, 1, 1), 100);
        assertThat(only(training(job, 8)).cluster().budget().amount(Resources.GPUS))
                .isEqualTo(4);
    }

    @Test
    public void leavesAnotherQueuesTrainingItsGuarantee() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster other = yarn.launch("service", "bob", n2);
        grant(other, WORKERS, n2, 4);
        ClusterView view = read(training(job, 8), training(other, 8));
        assertThat(view.queues()).extracting(QueueView::queue).containsExactly("root.research", "root.service");
        assertThat(view.queues())
                .allSatisfy(queue -> assertThat(queue.cluster().budget().amount(Resources.GPUS))
                        .isEqualTo(4));
        assertThat(node(view.queues().get(0), n2).available().amount(Resources.GPUS))
                .isZero();
        assertThat(node(view.queues().get(1), n2).available().amount(Resources.GPUS))
                .isEqualTo(4);
    }

    @Test
    public void keepsReservationsOfOrdinaryApplications() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster ordinary = yarn.launch("service", "bob", n2);
        grant(job, WORKERS, n1, 3);
        ordinary.askPinned(1, resource(1024, 1, 3), n1, 1);
        yarn.heartbeat(2, n1);
        assertThat(yarn.scheduler().getNode(n1).getReservedContainer()).isNotNull();
        assertThat(node(only(training(job, 8)), n1).available().amount(Resources.GPUS))
                .isEqualTo(1);
    }

    @Test
    public void aReservationThatYarnCanGrantOnAnotherNodeTakesNoRoomOfTraining() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster ordinary = yarn.launch("service", "bob", n2);
        grant(job, WORKERS, n1, 3);
        grant(job, WORKERS, n2, 3);
        ordinary.askAnywhere(1, resource(1024, 1, 2), 1);
        yarn.heartbeat(2, n1);
        assertThat(yarn.scheduler().getNode(n1).getReservedContainer()).isNotNull();
        assertThat(availableGpus(job, n1)).as("no node has room").isEqualTo(2);

        job.release(List.of(job.granted().get(5).getId()));
        assertThat(availableGpus(job, n1)).as("n2 has room").isEqualTo(4);
    }

    private long availableGpus(FakeApplicationMaster job, NodeId node) {
        return node(only(training(job, 8)), node).available().amount(Resources.GPUS);
    }

    @Test
    public void countsReservationsInTheSameQueueOnce() throws Exception {
        assertThat(gpusBesideAReservationOfTwoIn("research")).isEqualTo(6);
    }

    @Test
    public void countsReservationsInAnotherQueueOnce() throws Exception {
        assertThat(gpusBesideAReservationOfTwoIn("service")).isEqualTo(6);
    }

    /** YARN also counts reserved resources as pending until they are granted. */
    private long gpusBesideAReservationOfTwoIn(String queue) throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster ordinary = yarn.launch(queue, "bob", n2);
        grant(job, WORKERS, n1, 3);
        ordinary.askPinned(1, resource(1024, 1, 2), n1, 1);
        yarn.heartbeat(2, n1);
        assertThat(yarn.scheduler().getNode(n1).getReservedContainer()).isNotNull();
        return only(training(job, 8)).cluster().budget().amount(Resources.GPUS);
    }

    @Test
    public void leavesOutNodesThatDoNotRunOrThatEveryJobAvoids() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        job.allocate(AllocateRequest.newBuilder()
                .resourceBlacklistRequest(ResourceBlacklistRequest.newInstance(List.of(n1.toString()), List.of())));
        QueueView queue = only(training(job, 8));
        assertThat(queue.cluster().nodes()).extracting(NodeSnapshot::id).containsExactly(n2.toString());
        assertThat(queue.usages().get(0).avoidedNodes()).containsExactly(n1.toString());

        yarn.resourceManager()
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeEvent(n2, RMNodeEventType.DECOMMISSION));
        Await.until("n2 is gone", () -> only(training(job, 8)).cluster().nodes().isEmpty());
    }

    @Test
    public void leavesOutAllNodesOfAHostThatIsAvoided() throws Exception {
        yarn.close();
        yarn = LocalResourceManager.withQueues(
                List.of("research=100"), Map.of(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, "false"));
        n1 = yarn.node(1001, 16_384, 16, 4);
        n2 = yarn.node(1002, 16_384, 16, 4);
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        job.allocate(AllocateRequest.newBuilder()
                .resourceBlacklistRequest(ResourceBlacklistRequest.newInstance(List.of(n1.getHost()), List.of())));
        QueueView queue = only(training(job, 8));
        assertThat(queue.usages().get(0).avoidedNodes()).containsExactly(n1.toString(), n2.toString());
        assertThat(queue.cluster().nodes()).isEmpty();
    }

    @Test
    public void countsAnApplicationThatWaitsForItsMasterAsOrdinaryDemand() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        yarn.submit("research", "bob");
        Await.until(
                "demand is seen",
                () -> only(training(job, 8)).ordinary().pending().equals(Resources.of(256, 1, 0)));
    }

    @Test
    public void countsTheMasterOfALaterAttemptAsOrdinaryDemand() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        yarn.resourceManager()
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMAppAttemptEvent(job.attempt(), RMAppAttemptEventType.FAIL));
        Await.until("demand is seen", () -> read(training(job, 8)).queues().stream()
                .anyMatch(queue -> queue.ordinary().pending().equals(Resources.of(256, 1, 0))));
    }

    @Test
    public void limitsTrainingByTheUserLimitFactor() throws Exception {
        yarn.close();
        yarn = LocalResourceManager.withQueues(
                List.of("research=50", "service=50"),
                Map.of("yarn.scheduler.capacity.root.research.user-limit-factor", "1.5"));
        n1 = yarn.node(1001, 16_384, 16, 8);
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        QueueView queue = only(training(job, 8));
        assertThat(queue.cluster().budget().amount(Resources.GPUS)).isEqualTo(6);
        assertThat(queue.userBudgets()).containsOnlyKeys("alice");
    }

    @Test
    public void limitsAUserByTheUsersWeight() throws Exception {
        withQueues(Map.of(
                "yarn.scheduler.capacity.root.research.user-limit-factor", "1",
                "yarn.scheduler.capacity.root.research.user-settings.alice.weight", "0.5"));
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        assertThat(only(training(job, 8)).cluster().budget().amount(Resources.GPUS))
                .isEqualTo(2);
    }

    @Test
    public void sharesWithNoUserWithoutDemand() throws Exception {
        withQueues(Map.of("yarn.scheduler.capacity.root.research.minimum-user-limit-percent", "25"));
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        yarn.launch("research", "bob", n1);
        yarn.launch("research", "carol", n1);
        yarn.launch("research", "dave", n1);
        assertThat(only(training(job, 8)).cluster().budget()).isEqualTo(Resources.of(32_768 - 4 * 256, 28, 8));
        grant(job, WORKERS, n1, 4);
        grant(job, WORKERS, n2, 4);
    }

    @Test
    public void givesAUserGpusIfCapacitiesNameNone() throws Exception {
        yarn.close();
        yarn = LocalResourceManager.withQueues(
                List.of("research=[memory=16384,vcores=16]", "service=[memory=16384,vcores=16]"),
                Map.of("yarn.scheduler.capacity.root.research.user-limit-factor", "1"));
        n1 = yarn.node(1001, 16_384, 16, 4);
        n2 = yarn.node(1002, 16_384, 16, 4);
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        assertThat(only(training(job, 8)).cluster().budget()).isEqualTo(Resources.of(16_384 - 256, 15, 4));
        grant(job, WORKERS, n1, 4);
    }

    @Test
    public void roundsAUsersLimitUpToAWholeGpu() throws Exception {
        yarn.close();
        yarn = LocalResourceManager.withQueues(
                List.of("research=10", "service=90"),
                Map.of("yarn.scheduler.capacity.root.research.user-limit-factor", "1"));
        n1 = yarn.node(1001, 16_384, 16, 8);
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        assertThat(only(training(job, 8)).cluster().budget().amount(Resources.GPUS))
                .isEqualTo(1);
        grant(job, WORKERS, n1, 1);
    }

    @Test
    public void takesTheRoundedUpGpuBackForOtherDemandOfTheUser() throws Exception {
        yarn.close();
        yarn = LocalResourceManager.withQueues(
                List.of("research=50", "service=50"),
                Map.of("yarn.scheduler.capacity.root.research.user-limit-factor", "1"));
        n1 = yarn.node(1001, 16_384, 16, 7);
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster ordinary = yarn.launch("research", "alice", n1);
        grant(job, WORKERS, n1, 4);
        ordinary.askAnywhere(1, resource(1024, 1, 0), 1);
        yarn.heartbeat(2, n1);
        ordinary.heartbeat();
        assertThat(ordinary.granted()).isEmpty();
        QueueView queue = only(training(job, 8));
        assertThat(queue.cluster().budget().amount(Resources.GPUS)).isEqualTo(3);
        assertThat(RoundTrigger.of(queue)).contains(RoundTrigger.ORDINARY_DEMAND);

        job.release(List.of(job.granted().get(0).getId()));
        yarn.heartbeat(2, n1);
        ordinary.heartbeat();
        assertThat(ordinary.granted()).hasSize(1);
    }

    @Test
    public void leavesNothingToApplicationsOfAnotherQueueThatYarnDoesNotStart() throws Exception {
        withQueues(Map.of("yarn.scheduler.capacity.root.service.maximum-am-resource-percent", "0.01"));
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        yarn.launch("service", "bob", n1);
        for (int i = 0; i < 4; i++) {
            yarn.submit("service", "bob");
        }
        Await.until("four wait", () -> yarn.scheduler()
                .getQueue("service")
                .getQueueResourceUsage()
                .getPending()
                .equals(resource(1024, 4, 0)));
        assertThat(only(training(job, 8)).cluster().budget()).isEqualTo(Resources.of(32_768 - 512, 30, 8));
    }

    @Test
    public void leavesAnotherQueueNoMoreThanItsUsersMayHave() throws Exception {
        withQueues(Map.of("yarn.scheduler.capacity.root.service.user-limit-factor", "0.5"));
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster service = yarn.launch("service", "bob", n1);
        service.askAnywhere(1, resource(1024, 1, 1), 100);
        assertThat(only(training(job, 8)).cluster().budget().amount(Resources.GPUS))
                .isEqualTo(6);
    }

    @Test
    public void leavesAnotherQueueTheGuaranteeOfItsParent() throws Exception {
        withQueues(Map.of(
                "yarn.scheduler.capacity.root.service.queues", "web,batch",
                "yarn.scheduler.capacity.root.service.web.capacity", "50",
                "yarn.scheduler.capacity.root.service.web.user-limit-factor", "10",
                "yarn.scheduler.capacity.root.service.batch.capacity", "50"));
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        FakeApplicationMaster web = yarn.launch("root.service.web", "bob", n1);
        web.askAnywhere(1, resource(1024, 1, 1), 100);
        assertThat(only(training(job, 8)).cluster().budget().amount(Resources.GPUS))
                .isEqualTo(4);
    }

    private void withQueues(Map<String, String> more) throws Exception {
        yarn.close();
        yarn = LocalResourceManager.withQueues(List.of("research=50", "service=50"), more);
        n1 = yarn.node(1001, 16_384, 16, 4);
        n2 = yarn.node(1002, 16_384, 16, 4);
    }

    @Test
    public void givesUpReadingAfterItsTimeAndReadsEverythingThen() throws Exception {
        FakeApplicationMaster job = yarn.launch("research", "alice", n1);
        AtomicLong passing = new AtomicLong();
        AtomicLong most = new AtomicLong(1);
        ClusterReader reader = new ClusterReader(
                yarn.scheduler(),
                new NodeGpuTypes(yarn.scheduler(), () -> GpuTypes.ALIKE),
                new SchedulerChanges(),
                new ClusterReader.Times(passing::incrementAndGet, most::get));

        assertThatThrownBy(() -> reader.read(List.of(training(job, 8)))).hasMessageContaining("given up after 2 ms");

        most.set(1000);
        assertThat(reader.read(List.of(training(job, 8))).usages()).containsKey(job.id());
    }

    @Test
    public void readsThePartitionThatTheJobAsksFor() throws Exception {
        yarn.close();
        yarn = LocalResourceManager.withQueues(
                List.of("research=50", "service=50"),
                Map.of(
                        "yarn.node-labels.enabled",
                        "true",
                        "yarn.node-labels.fs-store.root-dir",
                        folder.getRoot().toURI().toString(),
                        "yarn.scheduler.capacity.root.accessible-node-labels",
                        "fast",
                        "yarn.scheduler.capacity.root.accessible-node-labels.fast.capacity",
                        "100",
                        "yarn.scheduler.capacity.root.research.accessible-node-labels.fast.capacity",
                        "75",
                        "yarn.scheduler.capacity.root.research.accessible-node-labels.fast.maximum-capacity",
                        "75",
                        "yarn.scheduler.capacity.root.service.accessible-node-labels.fast.capacity",
                        "25"));
        n1 = yarn.node(1001, 16_384, 16, 0);
        n2 = yarn.node(1002, 16_384, 16, 8);
        yarn.label(n2, "fast");
        FakeApplicationMaster job = yarn.launch("research", "alice", n2, "fast");
        QueueView queue = only(training(job, 8));
        assertThat(queue.partition()).isEqualTo("fast");
        assertThat(queue.cluster().nodes()).extracting(NodeSnapshot::id).containsExactly(n2.toString());
        assertThat(queue.cluster().budget()).isEqualTo(Resources.of(12_288 - 256, 11, 6));
    }
}
