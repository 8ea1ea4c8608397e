package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * The promises of CapacityScheduler, each kept alike for an ordinary application on YARN's own scheduler, for an ordinary
 * application on the product's, and for a training job. docs/operations.md lists them.
 */
@RunWith(Parameterized.class)
public final class YarnPromisesTest {
    private static final String QUEUES = "yarn.scheduler.capacity.root.";
    private static final int GUARANTEED = BusyCluster.GPUS / 2;
    private static final int BACKLOG = 100;
    private static final int BEATS = 60;

    /** Who asks, and which scheduler answers. */
    public enum Tenant {
        ORDINARY_ON_CAPACITY_SCHEDULER,
        ORDINARY_ON_OPTIMUS,
        TRAINING_ON_OPTIMUS
    }

    @Parameter
    public Tenant tenant = Tenant.TRAINING_ON_OPTIMUS;

    @Rule
    public final Timeout timeout = new Timeout(90, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Parameters(name = "{0}")
    public static Tenant[] tenants() {
        return Tenant.values();
    }

    @Test
    public void aQueueBelowItsGuaranteeIsServedFirst() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster busy = cluster.occupy();
            Application application = start(cluster, "promised", "alice", GUARANTEED);
            Await.until("the guarantee is served", () -> {
                if (application.hasAsked()) {
                    assertThat(cluster.endOne(busy)).isTrue();
                }
                return after(cluster, application) == GUARANTEED;
            });
        }
    }

    @Test
    public void aQueueHoldsAtMostItsMaximum() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(QUEUES + "promised.maximum-capacity", "75"))) {
            Application application = start(cluster, "promised", "alice", BusyCluster.GPUS);
            settlesAt(cluster, application, BusyCluster.GPUS * 3 / 4);
        }
    }

    @Test
    public void aUserHoldsAtMostTheFactorOfTheGuarantee() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(QUEUES + "promised.user-limit-factor", "0.5"))) {
            Application application = start(cluster, "promised", "alice", BusyCluster.GPUS);
            settlesWithin(cluster, application, GUARANTEED / 2, GUARANTEED / 2 + 1);
        }
    }

    @Test
    public void usersOfAQueueDivideItAsTasksEnd() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(
                QUEUES + "promised.minimum-user-limit-percent",
                "50",
                QUEUES + "busy.minimum-user-limit-percent",
                "50"))) {
            FakeApplicationMaster busy = cluster.occupy();
            Application application = start(cluster, "busy", "alice", BACKLOG);
            Await.until("the users divide the queue", () -> {
                if (application.hasAsked()) {
                    cluster.endOne(busy);
                }
                return after(cluster, application) >= GUARANTEED - 1;
            });
            assertThat(application.held()).isLessThanOrEqualTo(GUARANTEED);
        }
    }

    @Test
    public void theHigherPriorityOfAQueueIsServedFirst() throws Exception {
        try (BusyCluster cluster = cluster(Map.of("yarn.cluster.max-application-priority", "10"))) {
            FakeApplicationMaster busy = cluster.occupy();
            FakeApplicationMaster earlier = cluster.ordinary("promised", "alice");
            Application application = start(cluster, "promised", "alice", 4);
            cluster.priority(application.master(), 5);
            earlier.askAnywhere(1, BusyCluster.task(), 4);
            Await.until("the higher priority is served", () -> {
                if (application.hasAsked()) {
                    assertThat(cluster.endOne(busy)).isTrue();
                }
                return after(cluster, application) == 4;
            });
            assertThat(earlier.held()).isZero();
        }
    }

    @Test
    public void theEarlierApplicationOfAQueueIsServedFirst() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            FakeApplicationMaster later = cluster.ordinary("promised", "alice");
            FakeApplicationMaster busy = cluster.occupy();
            Application application = start(cluster, master, 4, BusyCluster.task());
            later.askAnywhere(1, BusyCluster.task(), 4);
            Await.until("the earlier application is served", () -> {
                if (application.hasAsked()) {
                    assertThat(cluster.endOne(busy)).isTrue();
                }
                return after(cluster, application) == 4;
            });
            assertThat(later.held()).isZero();
        }
    }

    @Test
    public void anEarlierApplicationIsNotOvertaken() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster earlier = cluster.ordinary("promised", "alice");
            FakeApplicationMaster later = cluster.launch("promised", "alice", 0, "");
            FakeApplicationMaster busy = cluster.occupy();
            earlier.askAnywhere(1, BusyCluster.task(), 4);
            Application application = start(cluster, later, 4, BusyCluster.task());
            Await.until("the earlier application is served", () -> {
                assertThat(cluster.endOne(busy)).isTrue();
                after(cluster, application);
                return earlier.held() == 4;
            });
            assertThat(application.held()).isZero();
            Await.until("the later application is served", () -> {
                if (application.hasAsked()) {
                    assertThat(cluster.endOne(busy)).isTrue();
                }
                return after(cluster, application) == 4;
            });
        }
    }

    @Test
    public void preemptionGivesAQueueItsGuarantee() throws Exception {
        try (BusyCluster cluster = cluster(BusyCluster.preemption())) {
            FakeApplicationMaster busy = cluster.occupy();
            Application application = start(cluster, "promised", "alice", GUARANTEED);
            Await.until("YARN preempts for the guarantee", () -> after(cluster, application) == GUARANTEED);
            assertThat(busy.held()).isEqualTo(GUARANTEED);
        }
    }

    @Test
    public void preemptionTakesWhatAQueueHoldsBeyondItsGuarantee() throws Exception {
        try (BusyCluster cluster = cluster(BusyCluster.preemption())) {
            Application application = start(cluster, "promised", "alice", BusyCluster.GPUS);
            Await.until("it holds every GPU", () -> after(cluster, application) == BusyCluster.GPUS);
            FakeApplicationMaster other = cluster.ordinary("busy", "bob");
            other.askAnywhere(1, BusyCluster.task(), BACKLOG);
            Await.until("the other queue has its guarantee", () -> {
                after(cluster, application);
                return other.held() == GUARANTEED;
            });
            settlesAt(cluster, application, GUARANTEED);
        }
    }

    @Test
    public void preemptionInsideAQueueServesTheHigherPriority() throws Exception {
        Map<String, String> settings = new HashMap<>(BusyCluster.preemption());
        String prefix = "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.";
        settings.put(prefix + "enabled", "true");
        settings.put(prefix + "max-allowable-limit", "1.0");
        settings.put(prefix + "minimum-threshold", "0.1");
        settings.put(prefix + "preemption-order-policy", "priority_first");
        settings.put("yarn.cluster.max-application-priority", "10");
        settings.put(QUEUES + "promised.capacity", "0");
        settings.put(QUEUES + "busy.capacity", "100");
        try (BusyCluster cluster = cluster(settings)) {
            Application application = start(cluster, "busy", "alice", BusyCluster.GPUS);
            Await.until("it holds every GPU", () -> after(cluster, application) == BusyCluster.GPUS);
            FakeApplicationMaster other = cluster.ordinary("busy", "alice");
            cluster.priority(other, 5);
            other.askAnywhere(1, BusyCluster.task(), 4);
            Await.until("YARN preempts for the higher priority", () -> {
                after(cluster, application);
                return other.held() == 4;
            });
        }
    }

    @Test
    public void aTaskThatFillsANodeIsServedThroughAReservation() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster busy = cluster.occupy();
            Application application = start(
                    cluster, cluster.launch("promised", "alice", 0, ""), 2, LocalResourceManager.resource(4096, 4, 4));
            Await.until("the large tasks run", () -> {
                if (application.hasAsked()) {
                    cluster.endOne(busy);
                }
                return after(cluster, application) == 2;
            });
        }
    }

    @Test
    public void aNewApplicationWaitsWhereTheShareOfApplicationMastersIsTaken() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(QUEUES + "promised.maximum-am-resource-percent", "0.001"))) {
            Application application = start(cluster, "promised", "alice", 1);
            settlesAt(cluster, application, 1);
            assertThat(cluster.startsMaster("promised", "alice")).isFalse();
            assertThat(cluster.startsMaster("busy", "alice")).isTrue();
        }
    }

    @Test
    public void tasksRunOnlyOnNodesWithTheLabelOfTheirApplication() throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(
                "yarn.node-labels.enabled",
                "true",
                "yarn.node-labels.fs-store.root-dir",
                folder.getRoot().toURI().toString(),
                QUEUES + "accessible-node-labels",
                "fast",
                QUEUES + "accessible-node-labels.fast.capacity",
                "100",
                QUEUES + "promised.accessible-node-labels",
                "fast",
                QUEUES + "promised.accessible-node-labels.fast.capacity",
                "100",
                QUEUES + "busy.accessible-node-labels.fast.capacity",
                "0"));
        try (BusyCluster cluster = cluster(settings)) {
            cluster.label(0, "fast");
            Application labelled =
                    start(cluster, cluster.launch("promised", "alice", 0, "fast"), BACKLOG, BusyCluster.task());
            settlesAt(cluster, labelled, 4);
            assertThat(labelled.master().held(cluster.node(0))).isEqualTo(4);
            FakeApplicationMaster other = cluster.launch("promised", "bob", 1, "");
            cluster.follow(other);
            other.askAnywhere(1, BusyCluster.task(), BACKLOG);
            Await.until("it holds the other nodes", () -> {
                after(cluster, labelled);
                return other.held() == BusyCluster.GPUS - 4;
            });
        }
    }

    @Test
    public void aQueueThatIsCreatedForAnApplicationServesIt() throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(
                QUEUES + "promised.auto-queue-creation-v2.enabled",
                "true",
                QUEUES + "promised.auto-queue-creation-v2.leaf-template.user-limit-factor",
                "10",
                "yarn.scheduler.capacity.legacy-queue-mode.enabled",
                "false"));
        settings.put(QUEUES + "promised.capacity", "1w");
        settings.put(QUEUES + "busy.capacity", "1w");
        try (BusyCluster cluster = cluster(settings)) {
            FakeApplicationMaster busy = cluster.occupy();
            Application application = start(cluster, "root.promised.alice", "alice", GUARANTEED);
            Await.until("the guarantee is served", () -> {
                if (application.hasAsked()) {
                    assertThat(cluster.endOne(busy)).isTrue();
                }
                return after(cluster, application) == GUARANTEED;
            });
        }
    }

    @Test
    public void tasksOfALostNodeEndAndTheirRoomIsForgotten() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            Application application = start(cluster, "promised", "alice", BusyCluster.GPUS);
            Await.until("it holds every GPU", () -> after(cluster, application) == BusyCluster.GPUS);
            NodeId lost = cluster.lose(3);
            settlesAt(cluster, application, BusyCluster.GPUS - 4);
            assertThat(application.master().held(lost)).isZero();
        }
    }

    @Test
    public void aNodeThatIsDecommissionedGetsNoNewTasks() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster master = cluster.launch("promised", "alice", 3, "");
            cluster.decommission(3);
            Application application = start(cluster, master, BusyCluster.GPUS, BusyCluster.task());
            settlesAt(cluster, application, BusyCluster.GPUS - 4);
            assertThat(master.held(cluster.node(3))).isZero();
        }
    }

    @Test
    public void aBlacklistedNodeGetsNoTasksOfItsApplication() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            NodeId avoided = cluster.node(3);
            master.allocate(AllocateRequest.newBuilder()
                    .resourceBlacklistRequest(
                            ResourceBlacklistRequest.newInstance(List.of(avoided.toString()), List.of())));
            Application application = start(cluster, master, BusyCluster.GPUS, BusyCluster.task());
            settlesAt(cluster, application, BusyCluster.GPUS - 4);
            assertThat(master.held(avoided)).isZero();
        }
    }

    private BusyCluster cluster(Map<String, String> more) throws Exception {
        Map<String, String> settings = new HashMap<>(more);
        if (tenant == Tenant.ORDINARY_ON_CAPACITY_SCHEDULER) {
            settings.put(YarnConfiguration.RM_SCHEDULER, CountingCapacityScheduler.class.getName());
        }
        return new BusyCluster(settings);
    }

    /** An application that wants some tasks; {@code training} is null if it is an ordinary one. */
    private record Application(FakeApplicationMaster master, @Nullable ScriptedTraining training) {
        /** Whether YARN knows that it wants more than it holds. */
        boolean hasAsked() {
            return master.pending() > 0;
        }

        int held() {
            return master.held();
        }
    }

    private Application start(BusyCluster cluster, String queue, String user, int tasks) throws Exception {
        return start(cluster, cluster.launch(queue, user, 0, ""), tasks, BusyCluster.task());
    }

    private Application start(BusyCluster cluster, FakeApplicationMaster master, int tasks, Resource task)
            throws Exception {
        if (tenant == Tenant.TRAINING_ON_OPTIMUS) {
            return new Application(master, cluster.training(master, task, job(tasks, task)));
        }
        cluster.follow(master);
        master.askAnywhere(1, task, tasks);
        return new Application(master, null);
    }

    private static RegisterJobRequestProto job(int tasks, Resource task) {
        RoleSpecProto.Builder workers = Jobs.role(RoleProto.WORKER, 1, tasks, ScriptedTraining.WORKERS, 1)
                .clearResources()
                .addResources(Jobs.amount("memory-mb", task.getMemorySize()))
                .addResources(Jobs.amount("vcores", task.getVirtualCores()))
                .addResources(Jobs.amount("yarn.io/gpu", task.getResourceValue("yarn.io/gpu")));
        return Jobs.allReduce().clearRoles().addRoles(workers).build();
    }

    /** Returns what {@code application} holds after a heartbeat of everybody. */
    private static int after(BusyCluster cluster, Application application) throws Exception {
        cluster.heartbeat();
        if (application.training() != null) {
            application.training().step();
        }
        return application.held();
    }

    /** Waits until {@code application} holds that many tasks; it gets no more. */
    private static void settlesAt(BusyCluster cluster, Application application, int tasks) throws Exception {
        settlesWithin(cluster, application, tasks, tasks);
    }

    /** Waits until {@code application} holds at least {@code least} tasks; it never gets more than {@code most}. */
    private static void settlesWithin(BusyCluster cluster, Application application, int least, int most)
            throws Exception {
        Await.until("it holds " + least, () -> after(cluster, application) >= least);
        for (int i = 0; i < BEATS; i++) {
            assertThat(after(cluster, application)).isBetween(least, most);
        }
    }
}
