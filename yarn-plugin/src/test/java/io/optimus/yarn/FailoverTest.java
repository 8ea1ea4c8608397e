package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.operator.Order;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** ResourceManagers in one JVM become active, standby and active again, each time with a new scheduler. */
public final class FailoverTest {
    @Rule
    public final Timeout timeout = new Timeout(90, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ResourceManagerPair pair;

    @Before
    public void prepare() {
        pair = new ResourceManagerPair(folder.getRoot().toPath(), event -> {});
    }

    @After
    public void stop() {
        pair.close();
    }

    @Test
    public void servesTheSameJobsAtTheSameAddressOnlyWhileItIsActive() throws Exception {
        ResourceManager one = pair.start("rm1");
        assertNothingRuns(one);
        ResourceManagerPair.becomeActive(one);
        InetSocketAddress address = overview(one).trainingAddress().orElseThrow();
        ApplicationAttemptId attempt = UnmanagedJob.submit(one);
        try (TrainingProtocolClient job = UnmanagedJob.client(one, attempt)) {
            job.registerJob(Jobs.registration().build());
            long plan = awaitPlanFor(one, attempt.getApplicationId());

            for (int again = 0; again < 2; again++) {
                ResourceManagerPair.becomeStandby(one);
                assertNothingRuns(one);
                assertFree(address);

                ResourceManagerPair.becomeActive(one);
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
        ResourceManagerPair.becomeStandby(one);
        assertNothingRuns(one);
    }

    @Test
    public void theOtherOfAPairServesTheJobsAtItsOwnAddress() throws Exception {
        for (String id : List.of("rm1", "rm2")) {
            pair.site().set(TrainingAddress.ADDRESS + "." + id, "localhost:" + FreePort.find());
        }
        ResourceManager one = pair.start("rm1");
        ResourceManager other = pair.start("rm2");
        ResourceManagerPair.becomeActive(one);
        ApplicationAttemptId attempt = UnmanagedJob.submit(one);
        try (TrainingProtocolClient job = UnmanagedJob.client(one, attempt)) {
            job.registerJob(Jobs.registration().build());
            long plan = awaitPlanFor(one, attempt.getApplicationId());
            assertThat(sawWhole(one, attempt)).isTrue();

            ResourceManagerPair.becomeStandby(one);
            assertNothingRuns(one);
            ResourceManagerPair.becomeActive(other);

            assertThat(overview(other).trainingAddress())
                    .contains(TrainingAddress.ofAll(pair.site()).get(1));
            assertThat(job.report(Jobs.report(1).build()).getRegisterAgain()).isTrue();
            job.registerJob(Jobs.registration().setPlan(plan).build());
            assertThat(awaitPlanFor(other, attempt.getApplicationId())).isGreaterThan(plan);
            assertThat(sawWhole(other, attempt))
                    .as("it was made before the job was submitted, but served later")
                    .isFalse();
        }
    }

    @Test
    public void becomesActiveAlthoughAKeyIsOfAQueueThatDoesNotExist() throws Exception {
        ResourceManager one = pair.start("rm1");
        pair.site().set("yarn.scheduler.optimus.queue.root.removed.policy", "drf");
        pair.site().set("yarn.scheduler.optimus.grace-time", "7s");
        pair.start("rm2"); // writes the files

        ResourceManagerPair.becomeActive(one);

        assertThat(overview(one).trainingAddress()).isPresent();
        assertThat(overview(one).configuration().shrinking().graceMillis()).isEqualTo(7_000);
    }

    @Test
    public void aStoppedSchedulerHoldsNoJobs() throws Exception {
        ResourceManager one = pair.start("rm1");
        ResourceManagerPair.becomeActive(one);
        ApplicationAttemptId attempt = UnmanagedJob.submit(one);
        SchedulerOverview before = overview(one);
        try (TrainingProtocolClient job = UnmanagedJob.client(one, attempt)) {
            job.registerJob(Jobs.registration().build());
            awaitPlanFor(one, attempt.getApplicationId());

            ResourceManagerPair.becomeStandby(one);
        }

        assertThat(before.state().registry().views()).isEmpty();
        assertThat(before.state().plan().current().jobs()).isEmpty();
    }

    @Test
    public void ordersOfAdministratorsOutliveAFailover() throws Exception {
        pair.site()
                .set(
                        "yarn.scheduler.optimus.orders-file",
                        folder.getRoot().toURI().resolve("orders.json").toString());
        ResourceManager one = pair.start("rm1");
        ResourceManager other = pair.start("rm2");
        ResourceManagerPair.becomeActive(one);
        Await.until(
                "the orders are known",
                () -> overview(one).state().orders().problem().isEmpty());
        overview(one).state().orders().drainNode("gone:1", new Order("operator", 1));
        overview(one).state().orders().pause(new Order("operator", 1));

        ResourceManagerPair.becomeStandby(one);
        ResourceManagerPair.becomeActive(other);

        Await.until(
                "the orders are known",
                () -> overview(other).state().orders().problem().isEmpty());
        assertThat(overview(other).state().orders().inForce().paused()).isTrue();
        assertThat(overview(other).state().orders().inForce().drainedNodes()).containsOnlyKeys("gone:1");
    }

    private static SchedulerOverview overview(ResourceManager resourceManager) {
        return ((OptimusScheduler) resourceManager.getResourceScheduler())
                .overview()
                .orElseThrow();
    }

    private static boolean sawWhole(ResourceManager resourceManager, ApplicationAttemptId attempt) {
        JobRegistry registry = overview(resourceManager).state().registry();
        return registry.view(attempt.getApplicationId())
                .filter(registry::sawWhole)
                .isPresent();
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
}
