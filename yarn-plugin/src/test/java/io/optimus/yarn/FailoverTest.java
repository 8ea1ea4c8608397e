package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.operator.Order;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.FileSystemBasedConfigurationProvider;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** ResourceManagers in one JVM become active, standby and active again, each time with a new scheduler. */
public final class FailoverTest {
    private static final StateChangeRequestInfo BY_HAND = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);

    @Rule
    public final Timeout timeout = new Timeout(90, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final List<ResourceManager> resourceManagers = new ArrayList<>();
    private Configuration site;

    @BeforeClass
    public static void allowSeveralResourceManagersInThisJvm() {
        DefaultMetricsSystem.setMiniClusterMode(true);
    }

    @Before
    public void writeSite() throws IOException {
        site = site();
        ResourceUtils.resetResourceTypes(site);
    }

    @After
    public void stop() {
        resourceManagers.forEach(ResourceManager::stop);
        ResourceUtils.resetResourceTypes(new Configuration(false));
    }

    @Test
    public void servesTheSameJobsAtTheSameAddressOnlyWhileItIsActive() throws Exception {
        ResourceManager one = start("rm1");
        assertNothingRuns(one);
        becomeActive(one);
        InetSocketAddress address = overview(one).trainingAddress().orElseThrow();
        ApplicationAttemptId attempt = UnmanagedJob.submit(one);
        try (TrainingProtocolClient job = UnmanagedJob.client(one, attempt)) {
            job.registerJob(Jobs.registration().build());
            long plan = awaitPlanFor(one, attempt.getApplicationId());

            for (int again = 0; again < 2; again++) {
                becomeStandby(one);
                assertNothingRuns(one);
                assertFree(address);

                becomeActive(one);
                assertThat(overview(one).trainingAddress()).contains(address);
                assertThat(overview(one).state().registry().views()).isEmpty();
                assertThat(job.report(Jobs.report(1).build()).getRegisterAgain())
                        .isTrue();
                job.registerJob(Jobs.registration().setPlan(plan).build());
                long next = awaitPlanFor(one, attempt.getApplicationId());
                assertThat(next).isGreaterThan(plan);
                plan = next;
                assertRunsOnce(address);
            }
        }
        becomeStandby(one);
        assertNothingRuns(one);
    }

    @Test
    public void theOtherOfAPairServesTheJobsAtItsOwnAddress() throws Exception {
        for (String id : List.of("rm1", "rm2")) {
            site.set(TrainingAddress.ADDRESS + "." + id, "localhost:" + FreePort.find());
        }
        ResourceManager one = start("rm1");
        ResourceManager other = start("rm2");
        becomeActive(one);
        ApplicationAttemptId attempt = UnmanagedJob.submit(one);
        try (TrainingProtocolClient job = UnmanagedJob.client(one, attempt)) {
            job.registerJob(Jobs.registration().build());
            long plan = awaitPlanFor(one, attempt.getApplicationId());

            becomeStandby(one);
            assertNothingRuns(one);
            becomeActive(other);

            assertThat(overview(other).trainingAddress())
                    .contains(TrainingAddress.ofAll(site).get(1));
            assertThat(job.report(Jobs.report(1).build()).getRegisterAgain()).isTrue();
            job.registerJob(Jobs.registration().setPlan(plan).build());
            assertThat(awaitPlanFor(other, attempt.getApplicationId())).isGreaterThan(plan);
        }
    }

    @Test
    public void ordersOfAdministratorsOutliveAFailover() throws Exception {
        site.set(
                "yarn.scheduler.optimus.orders-file",
                folder.getRoot().toURI().resolve("orders.json").toString());
        ResourceManager one = start("rm1");
        ResourceManager other = start("rm2");
        becomeActive(one);
        Await.until(
                "the orders are known",
                () -> overview(one).state().orders().problem().isEmpty());
        overview(one).state().orders().drainNode("gone:1", new Order("operator", 1));
        overview(one).state().orders().pause(new Order("operator", 1));

        becomeStandby(one);
        becomeActive(other);

        Await.until(
                "the orders are known",
                () -> overview(other).state().orders().problem().isEmpty());
        assertThat(overview(other).state().orders().inForce().paused()).isTrue();
        assertThat(overview(other).state().orders().inForce().drainedNodes()).containsOnlyKeys("gone:1");
    }

    private ResourceManager start(String id) throws IOException {
        for (String name :
                List.of(YarnConfiguration.YARN_SITE_CONFIGURATION_FILE, YarnConfiguration.CS_CONFIGURATION_FILE)) {
            try (OutputStream file =
                    Files.newOutputStream(folder.getRoot().toPath().resolve(name))) {
                site.writeXml(file);
            }
        }
        Configuration configuration = new YarnConfiguration();
        site.forEach(property -> configuration.set(property.getKey(), property.getValue()));
        configuration.set(YarnConfiguration.RM_HA_ID, id);
        ResourceManager resourceManager = new ResourceManager() {
            @Override
            protected void startWepApp() {}
        };
        resourceManagers.add(resourceManager);
        resourceManager.init(configuration);
        resourceManager.start();
        return resourceManager;
    }

    private static void becomeActive(ResourceManager resourceManager) throws Exception {
        resourceManager.getRMContext().getRMAdminService().transitionToActive(BY_HAND);
    }

    private static void becomeStandby(ResourceManager resourceManager) throws Exception {
        resourceManager.getRMContext().getRMAdminService().transitionToStandby(BY_HAND);
    }

    private static SchedulerOverview overview(ResourceManager resourceManager) {
        return ((OptimusScheduler) resourceManager.getResourceScheduler())
                .overview()
                .orElseThrow();
    }

    private static long awaitPlanFor(ResourceManager resourceManager, ApplicationId job) {
        Await.until(
                "a round plans " + job,
                () -> overview(resourceManager).state().plan().current().of(job).isPresent()
                        && !overview(resourceManager)
                                .state()
                                .log()
                                .newestFirst()
                                .isEmpty());
        return overview(resourceManager).state().plan().current().number();
    }

    private static void assertNothingRuns(ResourceManager resourceManager) {
        Await.until("no thread of training is left", () -> count("optimus-") == 0);
        assertThat(overview(resourceManager).trainingAddress()).isEmpty();
        assertThat(DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME))
                .isNull();
    }

    private static void assertFree(InetSocketAddress address) throws Exception {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(address.getHostString(), address.getPort()));
        }
        assertThat(DefaultMetricsSystem.instance().getSource("RpcActivityForPort" + address.getPort()))
                .isNull();
    }

    private static void assertRunsOnce(InetSocketAddress address) {
        assertThat(count("optimus-round")).isEqualTo(1);
        assertThat(count("optimus-policy")).isEqualTo(1);
        assertThat(count("IPC Server listener on " + address.getPort())).isEqualTo(1);
        assertThat(DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME))
                .isNotNull();
    }

    private static long count(String threads) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(threads))
                .count();
    }

    private Configuration site() {
        Configuration conf = new Configuration(false);
        conf.setClass(YarnConfiguration.RM_SCHEDULER, OptimusScheduler.class, OptimusScheduler.class);
        conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
        conf.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        for (String key : YarnConfiguration.getServiceAddressConfKeys(conf)) {
            conf.set(key + ".rm1", "localhost:0");
            conf.set(key + ".rm2", "localhost:0");
        }
        conf.set(TrainingAddress.ADDRESS + ".rm2", "localhost:1");
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
        conf.setClass(YarnConfiguration.RM_STORE, FileSystemRMStateStore.class, FileSystemRMStateStore.class);
        String root = folder.getRoot().toURI().toString();
        conf.set(YarnConfiguration.FS_RM_STATE_STORE_URI, root + "state");
        conf.set(YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR, root + "attributes");
        conf.set(YarnConfiguration.RESOURCE_TYPES, "yarn.io/gpu");
        conf.set("yarn.scheduler.capacity.resource-calculator", DominantResourceCalculator.class.getName());
        conf.set("yarn.scheduler.capacity.root.queues", "default");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
        // A ResourceManager that becomes active reads its configuration again, from files.
        conf.set(
                YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS,
                FileSystemBasedConfigurationProvider.class.getName());
        conf.set(YarnConfiguration.FS_BASED_RM_CONF_STORE, root);
        conf.setLong(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_BASE_MS, 10);
        conf.setLong(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_MAX_MS, 100);
        conf.set("yarn.scheduler.optimus.round-interval", "200ms");
        conf.set("yarn.scheduler.optimus.round-gap", "50ms");
        return conf;
    }
}
