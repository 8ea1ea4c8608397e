package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.Await;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The promises of CapacityScheduler, each kept alike for an ordinary application on YARN's own scheduler, for an ordinary
 * application on the product's, and for a training job. docs/operations.md lists them.
 */
public final class YarnPromisesTest extends PromiseTest {

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void aQueueBelowItsGuaranteeIsServedFirst() throws Exception {
        servesTheGuarantee(Map.of(), "promised");
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
            servedAsTasksEnd(cluster, busy, application, 4);
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
            servedAsTasksEnd(cluster, busy, application, 4);
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
            servedAsTasksEnd(cluster, busy, application, 4);
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
            Application application = startsOnEveryGpu(cluster, "promised", 1);
            FakeApplicationMaster other = cluster.ordinary("busy", "bob");
            other.askAnywhere(1, BusyCluster.task(), BACKLOG);
            Await.until("the other queue has its guarantee", () -> {
                after(cluster, application);
                return other.held() == GUARANTEED;
            });
            settlesAt(cluster, application, GUARANTEED);
            assertThat(application.master().scheduled().getLiveContainers())
                    .as("its ApplicationMaster")
                    .anyMatch(RMContainer::isAMContainer);
        }
    }

    @Test
    public void preemptionInsideAQueueServesTheHigherPriority() throws Exception {
        Map<String, String> settings = BusyCluster.preemptionInside("priority_first");
        settings.put("yarn.cluster.max-application-priority", "10");
        try (BusyCluster cluster = cluster(settings)) {
            Application application = startsOnEveryGpu(cluster, "busy", 1);
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
        try (BusyCluster cluster = cluster(BusyCluster.labels(folder.getRoot()))) {
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
        servesTheGuarantee(settings, "root.promised.alice");
    }

    @Test
    public void tasksOfALostNodeEndAndTheirRoomIsForgotten() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            Application application = startsOnEveryGpu(cluster, "promised", 1);
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
}
