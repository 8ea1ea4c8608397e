package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.yarn.Await;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.thirdparty.com.google.common.base.Throwables;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Promises on queues: how their capacities are given, what they admit, and what becomes of them at run time. */
public final class QueuePromisesTest extends PromiseTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void absoluteCapacitiesAreGuaranteed() throws Exception {
        String half = "[memory=32768,vcores=32,yarn.io/gpu=8]";
        servesTheGuarantee(Map.of(QUEUES + "promised.capacity", half, QUEUES + "busy.capacity", half), "promised");
    }

    @Test
    public void weightsAreGuaranteed() throws Exception {
        servesTheGuarantee(
                Map.of(
                        "yarn.scheduler.capacity.legacy-queue-mode.enabled",
                        "false",
                        QUEUES + "promised.capacity",
                        "3w",
                        QUEUES + "busy.capacity",
                        "3w"),
                "promised");
    }

    @Test
    public void aQueueOfThreeLevelsIsGuaranteedItsPart() throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put(QUEUES + "promised.queues", "team,other");
        settings.put(QUEUES + "promised.team.capacity", "100");
        settings.put(QUEUES + "promised.other.capacity", "0");
        settings.put(QUEUES + "promised.team.queues", "one,two");
        settings.put(QUEUES + "promised.team.one.capacity", "100");
        settings.put(QUEUES + "promised.team.two.capacity", "0");
        settings.put(QUEUES + "promised.team.one.user-limit-factor", "10");
        servesTheGuarantee(settings, "root.promised.team.one");
    }

    @Test
    public void aQueueThatAParentCreatesFromItsTemplateServesIt() throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put(QUEUES + "promised.auto-create-child-queue.enabled", "true");
        settings.put(QUEUES + "promised.leaf-queue-template.capacity", "100");
        settings.put(QUEUES + "promised.leaf-queue-template.maximum-capacity", "100");
        settings.put(QUEUES + "promised.leaf-queue-template.user-limit-factor", "10");
        settings.put("yarn.scheduler.capacity.queue-mappings", "u:alice:promised.%user");
        settings.put("yarn.scheduler.capacity.queue-mappings-override.enable", "true");
        servesTheGuarantee(settings, "promised");
    }

    @Test
    public void asynchronousSchedulingServesTheGuarantee() throws Exception {
        servesTheGuarantee(Map.of("yarn.scheduler.capacity.schedule-asynchronously.enable", "true"), "promised");
    }

    @Test
    public void schedulingOverSeveralNodesServesTheGuarantee() throws Exception {
        String prefix = "yarn.scheduler.capacity.multi-node-sorting.policy";
        servesTheGuarantee(
                Map.of(
                        "yarn.scheduler.capacity.multi-node-placement-enabled",
                        "true",
                        prefix,
                        "usage",
                        prefix + ".names",
                        "usage",
                        prefix + ".usage.class",
                        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy",
                        prefix + ".usage.sorting-interval.ms",
                        "0"),
                "promised");
    }

    @Test
    public void aLabelGivenByTheQueueIsThatOfItsApplications() throws Exception {
        Map<String, String> settings = BusyCluster.labels(folder.getRoot());
        settings.put(QUEUES + "promised.default-node-label-expression", "fast");
        try (BusyCluster cluster = cluster(settings)) {
            cluster.label(0, "fast");
            Application application =
                    start(cluster, cluster.launch("promised", "alice", 0, null), BACKLOG, BusyCluster.task());
            settlesAt(cluster, application, 4);
            assertThat(application.master().held(cluster.node(0))).isEqualTo(4);
        }
    }

    @Test
    public void idleNodesOfASharedLabelServeOrdinaryApplicationsOnly() throws Exception {
        try (BusyCluster cluster = cluster(BusyCluster.labels(folder.getRoot()))) {
            cluster.shareLabel(0, "fast");
            Application application =
                    start(cluster, cluster.launch("promised", "alice", 1, ""), BACKLOG, BusyCluster.task());
            settlesAt(
                    cluster,
                    application,
                    tenant == Tenant.TRAINING_ON_OPTIMUS ? BusyCluster.GPUS - 4 : BusyCluster.GPUS);
        }
    }

    @Test
    public void aQueueThatIsDrainedServesTheApplicationsThatItHas() throws Exception {
        try (BusyCluster cluster = cluster(Map.of())) {
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            cluster.refresh(Map.of(QUEUES + "promised.state", "STOPPED"));
            Application application = start(cluster, master, GUARANTEED, BusyCluster.task());
            settlesAt(cluster, application, GUARANTEED);
            assertThat(cluster.admits("promised", "alice")).isFalse();
        }
    }

    @Test
    public void anApplicationThatIsMovedHasTheLimitsOfItsNewQueue() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(QUEUES + "promised.maximum-capacity", "75"))) {
            Application application = start(cluster, "promised", "alice", BusyCluster.GPUS);
            settlesAt(cluster, application, BusyCluster.GPUS * 3 / 4);
            cluster.move(application.master(), "busy");
            settlesAt(cluster, application, BusyCluster.GPUS);
        }
    }

    @Test
    public void aQueueAdmitsNoMoreApplicationsThanItsMaximum() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(QUEUES + "promised.maximum-applications", "1"))) {
            Application application = start(cluster, "promised", "alice", 1);
            settlesAt(cluster, application, 1);
            assertThat(cluster.admits("promised", "alice")).isFalse();
            assertThat(cluster.admits("busy", "alice")).isTrue();
        }
    }

    @Test
    public void aQueueRunsNoMoreApplicationsInParallelThanItMay() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(QUEUES + "promised.max-parallel-apps", "1"))) {
            Application application = start(cluster, "promised", "alice", 1);
            settlesAt(cluster, application, 1);
            assertThat(cluster.startsMaster("promised", "alice")).isFalse();
            assertThat(cluster.startsMaster("busy", "alice")).isTrue();
        }
    }

    @Test
    public void aUserWithoutTheRightToSubmitIsRefused() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(
                "yarn.acl.enable",
                "true",
                "yarn.admin.acl",
                "nobody",
                QUEUES + "acl_submit_applications",
                " ",
                QUEUES + "acl_administer_queue",
                " ",
                QUEUES + "promised.acl_submit_applications",
                "alice"))) {
            Application application = start(cluster, "promised", "alice", 1);
            settlesAt(cluster, application, 1);
            assertThat(cluster.admits("promised", "mallory")).isFalse();
            assertThat(cluster.admits("promised", "alice")).isTrue();
        }
    }

    @Test
    public void aTaskThatIsLargerThanTheQueueAllowsIsRefused() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(
                QUEUES + "promised.maximum-allocation-mb",
                "2048",
                QUEUES + "promised.maximum-allocation-vcores",
                "2"))) {
            FakeApplicationMaster master = cluster.launch("promised", "alice", 0, "");
            assertThatThrownBy(() -> start(cluster, master, 1, LocalResourceManager.resource(4096, 1, 1)))
                    .satisfies(refused -> assertThat(Throwables.getStackTraceAsString(refused))
                            .contains("2048"));
        }
    }

    @Test
    public void anApplicationEndsWithTheLifetimeOfItsQueue() throws Exception {
        try (BusyCluster cluster = cluster(Map.of(
                QUEUES + "promised.default-application-lifetime",
                "2",
                "yarn.resourcemanager.application-timeouts.monitor.interval-ms",
                "200"))) {
            Application application = start(cluster, "promised", "alice", GUARANTEED);
            Await.until("it runs", () -> after(cluster, application) == GUARANTEED);
            Await.until("YARN kills it", () -> cluster.state(application.master()) == RMAppState.KILLED);
            cluster.forget(application.master());
            FakeApplicationMaster other = cluster.launch("busy", "alice", 0, "");
            other.askAnywhere(1, BusyCluster.task(), BusyCluster.GPUS);
            Await.until("its room is free", () -> {
                cluster.heartbeat();
                other.heartbeat();
                return other.granted().size() == BusyCluster.GPUS;
            });
        }
    }
}
