package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.Await;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.Test;

/** Promises on the order in which the applications of one queue are served. */
public final class OrderPromisesTest extends PromiseTest {
    @Test
    public void aFairQueueGivesTheRoomOfTasksThatEndToTheApplicationThatHoldsLess() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(QUEUES + "busy.ordering-policy", "fair"))) {
            FakeApplicationMaster busy = cluster.occupy();
            Application application = start(cluster, "busy", "bob", BusyCluster.GPUS);
            for (int ended = 0; ended < 12; ended++) {
                if (ended < GUARANTEED - 1) {
                    Await.until("it waits", () -> {
                        after(cluster, application);
                        return application.hasAsked();
                    });
                }
                cluster.endOne(busy);
                Await.until("no GPU is free", () -> after(cluster, application) + busy.held() == BusyCluster.GPUS);
            }
            settlesWithin(cluster, application, GUARANTEED - 1, GUARANTEED + 1);
        }
    }

    @Test
    public void theHigherPriorityIsServedBeforeTheBacklogOfAnEarlierApplication() throws Exception {
        try (BusyCluster cluster = cluster(Map.of("yarn.cluster.max-application-priority", "10"))) {
            FakeApplicationMaster earlier = cluster.ordinary("promised", "alice");
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            cluster.priority(master, 5);
            FakeApplicationMaster busy = cluster.occupy();
            Application application = start(cluster, master, GUARANTEED, BusyCluster.task());
            earlier.askAnywhere(1, BusyCluster.task(), BACKLOG);
            servedAsTasksEnd(cluster, busy, application, GUARANTEED);
            assertThat(earlier.held()).isZero();
        }
    }

    @Test
    public void theMinimumOfAnEarlierApplicationIsServedBeforeTheBacklogOfALaterOne() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            FakeApplicationMaster later = cluster.ordinary("promised", "alice");
            FakeApplicationMaster busy = cluster.occupy();
            later.askAnywhere(1, BusyCluster.task(), BACKLOG);
            Application application = start(cluster, master, 4, 4, BusyCluster.task());
            servedAsTasksEnd(cluster, busy, application, 4);
            assertThat(later.held()).isZero();
        }
    }

    @Test
    public void preemptionInsideAQueueGivesAUserHisLimit() throws Exception {
        Map<String, String> settings = BusyCluster.preemptionInside("userlimit_first");
        settings.put(QUEUES + "busy.minimum-user-limit-percent", "50");
        try (BusyCluster cluster = cluster(settings)) {
            // YARN preempts here only for all resources of a node at once.
            Resource task = LocalResourceManager.resource(3584, 3, 1);
            Application application = start(cluster, cluster.launch("busy", "alice", 0, ""), BusyCluster.GPUS, task);
            Await.until("it holds every GPU", () -> after(cluster, application) == BusyCluster.GPUS);
            FakeApplicationMaster other = cluster.ordinary("busy", "bob");
            other.askAnywhere(1, task, BACKLOG);
            Await.until("the other user has his part", () -> {
                after(cluster, application);
                return other.held() >= 4;
            });
            settlesWithin(cluster, application, GUARANTEED - 1, BusyCluster.GPUS - 4);
        }
    }
}
