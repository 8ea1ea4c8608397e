package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.Await;
import io.optimus.yarn.read.FakeApplicationMaster;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Promises on queues among each other: which is served first, which are not preempted, and which are deleted again. */
public final class QueueTreePromisesTest extends PromiseTest {
    private static final int OF_TEAM = GUARANTEED / 2;

    @Test
    public void aQueueOfHigherPriorityIsServedBeforeItsSibling() throws Exception {
        try (BusyCluster cluster = cluster(teams("second"))) {
            FakeApplicationMaster busy = cluster.occupy();
            FakeApplicationMaster sibling = cluster.ordinary("root.promised.first", "bob");
            sibling.askAnywhere(1, BusyCluster.task(), BACKLOG);
            Application application = start(cluster, "root.promised.second", "alice", OF_TEAM);
            servedAsTasksEnd(cluster, busy, application, OF_TEAM);
            assertThat(sibling.held()).isZero();
        }
    }

    @Test
    public void aQueueOfLowerPriorityIsServedAfterItsSibling() throws Exception {
        try (BusyCluster cluster = cluster(teams("first"))) {
            FakeApplicationMaster busy = cluster.occupy();
            FakeApplicationMaster sibling = cluster.ordinary("root.promised.first", "bob");
            FakeApplicationMaster master = cluster.launch("root.promised.second", "alice", 0, "");
            sibling.askAnywhere(1, BusyCluster.task(), OF_TEAM);
            Application application = start(cluster, master, OF_TEAM, BusyCluster.task());
            Await.until("the sibling has its guarantee", () -> {
                if (application.hasAsked()) {
                    assertThat(cluster.endOne(busy)).isTrue();
                }
                assertThat(after(cluster, application)).isZero();
                return sibling.held() == OF_TEAM;
            });
            servedAsTasksEnd(cluster, busy, application, OF_TEAM);
        }
    }

    /** The queue promised has two queues with half of it each, one of them with priority. */
    private static Map<String, String> teams(String first) {
        return new HashMap<>(Map.of(
                QUEUES + "promised.queues",
                "first,second",
                QUEUES + "promised.ordering-policy",
                "priority-utilization",
                QUEUES + "promised.first.capacity",
                "50",
                QUEUES + "promised.second.capacity",
                "50",
                QUEUES + "promised.first.user-limit-factor",
                "10",
                QUEUES + "promised.second.user-limit-factor",
                "10",
                QUEUES + "promised." + first + ".priority",
                "5"));
    }

    @Test
    public void aQueueThatIsNotPreemptedKeepsWhatItsApplicationsNeed() throws Exception {
        Map<String, String> settings = new HashMap<>(BusyCluster.preemption());
        settings.put(QUEUES + "promised.disable_preemption", "true");
        try (BusyCluster cluster = cluster(settings)) {
            Application application = startsOnEveryGpu(cluster, "promised", BusyCluster.GPUS);
            FakeApplicationMaster other = cluster.ordinary("busy", "bob");
            other.askAnywhere(1, BusyCluster.task(), BACKLOG);
            settlesAt(cluster, application, BusyCluster.GPUS);
            assertThat(other.held()).isZero();
        }
    }

    @Test
    public void whatAJobCanSpareOfAQueueThatIsNotPreemptedGoesToTheGuaranteeOfAnother() throws Exception {
        Map<String, String> settings = new HashMap<>(BusyCluster.preemption());
        settings.put(QUEUES + "promised.disable_preemption", "true");
        try (BusyCluster cluster = cluster(settings)) {
            int minimum = GUARANTEED + 2;
            Application application = startsOnEveryGpu(cluster, "promised", minimum);
            cluster.ordinary("busy", "bob").askAnywhere(1, BusyCluster.task(), BACKLOG);
            int expected = tenant == Tenant.TRAINING_ON_OPTIMUS ? minimum : BusyCluster.GPUS;
            Await.until("it holds " + expected, () -> after(cluster, application) == expected);
            settlesAt(cluster, application, expected);
        }
    }

    @Test
    public void aQueueThatIsNotPreemptedInsideKeepsWhatItsApplicationsNeedFromAHigherPriority() throws Exception {
        Map<String, String> settings = BusyCluster.preemptionInside("priority_first");
        settings.put(QUEUES + "busy.intra-queue-preemption.disable_preemption", "true");
        settings.put("yarn.cluster.max-application-priority", "10");
        try (BusyCluster cluster = cluster(settings)) {
            Application application = startsOnEveryGpu(cluster, "busy", BusyCluster.GPUS);
            FakeApplicationMaster other = cluster.ordinary("busy", "alice");
            cluster.priority(other, 5);
            other.askAnywhere(1, BusyCluster.task(), 4);
            settlesAt(cluster, application, BusyCluster.GPUS);
            assertThat(other.held()).isZero();
        }
    }

    @Test
    public void aQueueThatYarnCreatedIsDeletedAfterItsLastApplicationAndNotBefore() throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(
                "yarn.resourcemanager.scheduler.monitor.enable",
                "true",
                "yarn.resourcemanager.scheduler.monitor.policies",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AutoCreatedQueueDeletionPolicy",
                "yarn.scheduler.capacity.auto-queue-creation-v2.queue-expiration-time",
                "1",
                "yarn.scheduler.capacity.legacy-queue-mode.enabled",
                "false",
                QUEUES + "promised.auto-queue-creation-v2.enabled",
                "true"));
        settings.put(QUEUES + "promised.capacity", "1w");
        settings.put(QUEUES + "busy.capacity", "1w");
        try (BusyCluster cluster = cluster(settings)) {
            Application application = start(cluster, "root.promised.alice", "alice", 1);
            Await.until("it runs", () -> after(cluster, application) == 1);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
            while (System.nanoTime() < end) {
                assertThat(after(cluster, application)).isEqualTo(1);
                assertThat(cluster.hasQueue("root.promised.alice")).isTrue();
            }
            cluster.end(application.master());
            Await.until("YARN deletes its queue", () -> !cluster.hasQueue("root.promised.alice"));
            Application next = start(cluster, "root.promised.carol", "carol", 1);
            settlesAt(cluster, next, 1);
        }
    }
}
