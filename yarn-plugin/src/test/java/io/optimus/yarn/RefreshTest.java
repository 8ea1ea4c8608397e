package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.metrics.OptimusMetrics;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.FileSystemBasedConfigurationProvider;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.RefreshQueuesRequest;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tests {@code yarn rmadmin -refreshQueues} on a ResourceManager whose configuration files change. */
public final class RefreshTest {
    private static final String PREFIX = "yarn.scheduler.optimus.";
    private static final String QUEUES = "yarn.scheduler.capacity.root.";

    @Rule
    public final Timeout timeout = new Timeout(90, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Configuration site = new Configuration(false);
    private final Configuration queues = new Configuration(false);
    private final ResourceManager resourceManager = new ResourceManager() {
        @Override
        protected void startWepApp() {}
    };

    @BeforeClass
    public static void allowSeveralResourceManagersInThisJvm() {
        DefaultMetricsSystem.setMiniClusterMode(true);
    }

    @Before
    public void prepare() {
        site.set(PREFIX + "round-interval", "20m");
        queues.set("yarn.scheduler.capacity.resource-calculator", DominantResourceCalculator.class.getName());
        queues.set(QUEUES + "queues", "default");
        queues.set(QUEUES + "default.capacity", "100");
    }

    @After
    public void stop() {
        resourceManager.stop();
        ResourceUtils.resetResourceTypes(new Configuration(false));
    }

    @Test
    public void reloadsKeysAndKeepsJobsAndTheirConnections() throws Exception {
        start();
        InetSocketAddress address = overview().trainingAddress().orElseThrow();
        JobView job = register();
        site.set(PREFIX + "grace-time", "7s");
        site.set(PREFIX + "policy", "fifo");
        site.set(PREFIX + "queue.root.default.policy", "drf");
        site.unset(PREFIX + "round-interval");

        refresh();

        OptimusConfiguration now = overview().configuration();
        assertThat(now.shrinking().graceMillis()).isEqualTo(7_000);
        assertThat(now.policies().defaultPolicy()).isEqualTo("fifo");
        assertThat(now.policies().of("root.default")).isEqualTo("drf");
        assertThat(now.rounds().intervalMillis()).as("not in the file any more").isEqualTo(60_000);
        assertThat(overview().state().registry().view(job.id())).isPresent();
        assertThat(overview().trainingAddress()).contains(address);
    }

    /** A ResourceManager that does not start takes the cluster from everybody, for a key that only training needs. */
    @Test
    public void startsAndWarnsWhereAKeyIsOfAQueueThatDoesNotExist() throws Exception {
        site.set(PREFIX + "queue.root.unknown.policy", "drf");
        start();

        assertThat(overview().trainingAddress()).isPresent();
        assertThat(SettingWarnings.of(scheduler(), overview().configuration()))
                .anySatisfy(warning -> assertThat(warning)
                        .contains(PREFIX + "queue.root.unknown.policy is a key of a queue that does not exist")
                        .contains("Remedy"));
        assertThatThrownBy(this::refresh).hasMessageContaining("queue.root.unknown.policy");
    }

    @Test
    public void warnsOfKeysThatAreValidAndHardlyMeant() throws Exception {
        site.set(PREFIX + "queue.root.unknown.policy", "drf");
        start();

        assertThat(SettingWarnings.of(scheduler(), overview().configuration()))
                .satisfiesExactly(unknown -> assertThat(unknown).contains("root.unknown"), few -> assertThat(few)
                        .contains("maximum-offswitch-assignments value=1 remedy=10"));

        site.unset(PREFIX + "queue.root.unknown.policy");
        queues.set("yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments", "10");
        refresh();

        assertThat(SettingWarnings.of(scheduler(), overview().configuration())).isEmpty();
    }

    @Test
    public void refusesInvalidKeysWholeAndNamesAllProblems() throws Exception {
        start();
        site.set(PREFIX + "round-interval", "often");
        site.set(PREFIX + "mod", "off");
        site.set(PREFIX + "grace-time", "7s");
        addQueue();

        assertThatThrownBy(this::refresh)
                .hasMessageContaining("2 configuration problem(s)")
                .hasMessageContaining(PREFIX + "round-interval=often")
                .hasMessageContaining(PREFIX + "mod is not a key")
                .hasMessageContaining("nothing has changed");

        assertThat(scheduler().getQueue("added")).isNull();
        assertThat(overview().configuration().shrinking().graceMillis()).isEqualTo(30_000);
        assertThat(overview().configuration().rounds().intervalMillis()).isEqualTo(1_200_000);
    }

    @Test
    public void refusesAPolicyThatDoesNotExistInEveryMode() throws Exception {
        start();
        site.set(PREFIX + "mode", "advise");
        site.set(PREFIX + "policy", "nonsense");
        assertThatThrownBy(this::refresh).hasMessageContaining(PREFIX + "policy=nonsense");
        site.set(PREFIX + "mode", "off");
        assertThatThrownBy(this::refresh).hasMessageContaining(PREFIX + "policy=nonsense");

        assertThat(overview().configuration().mode()).isEqualTo(SchedulerMode.ENFORCE);
        assertThat(overview().configuration().policies().defaultPolicy()).isEqualTo("marginal-goodput");
        assertThat(overview().trainingAddress()).isPresent();
    }

    @Test
    public void refusesKeysOfQueuesThatDoNotExistTogetherWithAllOtherProblems() throws Exception {
        start();
        site.set(PREFIX + "queue.root.unknown.policy", "drf");
        site.set(PREFIX + "queue.default.min-run-limit", "1h");
        site.set(PREFIX + "queue.root.policy", "drf");
        site.set(PREFIX + "round-interval", "often");
        site.set(PREFIX + "mode", "advise");

        assertThatThrownBy(this::refresh)
                .hasMessageContaining("4 configuration problem(s)")
                .hasMessageContaining(PREFIX + "queue.root.unknown.policy is a key of a queue that does not exist")
                .hasMessageContaining("did you mean " + PREFIX + "queue.root.default.min-run-limit?")
                .hasMessageContaining(PREFIX + "queue.root.policy has no effect")
                .hasMessageContaining(PREFIX + "round-interval=often")
                .hasMessageContaining("nothing has changed");

        assertThat(overview().configuration().mode()).isEqualTo(SchedulerMode.ENFORCE);
    }

    @Test
    public void checksKeysOfQueuesAgainstTheQueuesThatItIsAboutToRead() throws Exception {
        start();
        site.set(PREFIX + "queue.root.added.policy", "drf");
        addQueue();
        refresh();
        assertThat(overview().configuration().policies().of("root.added")).isEqualTo("drf");

        queues.set(QUEUES + "added.state", "STOPPED");
        refresh();
        queues.set(QUEUES + "queues", "default");
        queues.set(QUEUES + "default.capacity", "100");
        assertThatThrownBy(this::refresh).hasMessageContaining(PREFIX + "queue.root.added.policy");
        assertThat(scheduler().getQueue("added")).as("nothing has changed").isNotNull();

        site.unset(PREFIX + "queue.root.added.policy");
        refresh();
        assertThat(scheduler().getQueue("added")).isNull();
    }

    @Test
    public void takesKeysOfQueuesThatYarnCreatesForApplications() throws Exception {
        start();
        site.set(PREFIX + "queue.root.users.alice.policy", "drf");
        queues.set(QUEUES + "queues", "default,users");
        queues.set(QUEUES + "default.capacity", "1w");
        queues.set(QUEUES + "users.capacity", "1w");
        assertThatThrownBy(this::refresh).hasMessageContaining(PREFIX + "queue.root.users.alice.policy");

        queues.set(QUEUES + "users.auto-queue-creation-v2.enabled", "true");
        refresh();
        assertThat(overview().configuration().policies().of("root.users.alice")).isEqualTo("drf");
    }

    @Test
    public void changesNothingIfTheQueuesAreInvalid() throws Exception {
        site.set(PREFIX + "mode", "off");
        start();
        site.set(PREFIX + "mode", "enforce");
        queues.set(QUEUES + "default.capacity", "70");

        assertThatThrownBy(this::refresh).hasMessageContaining("Failed to re-init queues");

        assertThat(overview().configuration().mode()).isEqualTo(SchedulerMode.OFF);
        assertNothingRuns();
    }

    @Test
    public void startsAndStopsServiceAndRoundsWithTheMode() throws Exception {
        site.set(PREFIX + "mode", "off");
        start();
        assertNothingRuns();

        mode("enforce");
        assertThat(overview().trainingAddress()).isPresent();
        assertThat(threads("optimus-round")).isEqualTo(1);
        assertThat(DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME))
                .isNotNull();
        register();

        mode("off");
        assertThat(overview().state().registry().views()).isEmpty();
        assertNothingRuns();
    }

    @Test
    public void runningJobsFollowTheMode() throws Exception {
        start();
        ApplicationAttemptId attempt = UnmanagedJob.submit(resourceManager);
        try (TrainingProtocolClient job = UnmanagedJob.client(resourceManager, attempt)) {
            job.registerJob(Jobs.registration().build());
            assertThat(job.report(Jobs.report(1).build()).getSchedulerMode()).isEqualTo("enforce");
            ask(attempt);
            assertThat(pending(attempt)).as("beyond the ceiling").isZero();

            mode("advise");
            assertThat(job.report(Jobs.report(2).build()).getSchedulerMode()).isEqualTo("advise");
            assertThat(job.report(Jobs.report(3).build()).hasDirective()).isFalse();
            ask(attempt);
            assertThat(pending(attempt)).as("no ceiling").isEqualTo(1024);

            mode("off");
            mode("enforce");
            Await.until("the job is asked to register again", () -> registersAgain(job));
        }
    }

    private static boolean registersAgain(TrainingProtocolClient job) {
        try {
            return job.report(Jobs.report(4).build()).getRegisterAgain();
        } catch (IOException notYet) {
            return false;
        }
    }

    private void ask(ApplicationAttemptId attempt) {
        ResourceRequest task =
                ResourceRequest.newInstance(Priority.newInstance(10), "*", Resource.newInstance(1024, 1), 1);
        scheduler()
                .allocate(
                        attempt,
                        new ArrayList<>(List.of(task)),
                        null,
                        List.of(),
                        List.of(),
                        List.of(),
                        new ContainerUpdates());
    }

    private long pending(ApplicationAttemptId attempt) {
        return scheduler()
                .getApplicationAttempt(attempt)
                .getAppAttemptResourceUsage()
                .getPending()
                .getMemorySize();
    }

    @Test
    public void changesNothingIfTheServiceCannotListen() throws Exception {
        site.set(PREFIX + "mode", "off");
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            site.set(TrainingAddress.ADDRESS, "localhost:" + other.getLocalPort());
            start();
            site.set(PREFIX + "mode", "enforce");
            addQueue();

            assertThatThrownBy(this::refresh).hasMessageContaining("cannot listen at localhost:");

            assertThat(overview().configuration().mode()).isEqualTo(SchedulerMode.OFF);
            assertThat(scheduler().getQueue("added")).isNull();
            assertNothingRuns();
        }
    }

    private void mode(String word) throws Exception {
        site.set(PREFIX + "mode", word);
        refresh();
        assertThat(overview().configuration().mode().word()).isEqualTo(word);
    }

    private JobView register() throws Exception {
        ApplicationAttemptId attempt = Jobs.attempt(1, 1);
        overview()
                .state()
                .registry()
                .register(
                        new ApplicationFacts(attempt, "me", "root.default", 0, 0),
                        Jobs.LIMITS,
                        Jobs.registration().build());
        return overview().state().registry().view(attempt.getApplicationId()).orElseThrow();
    }

    private void addQueue() {
        queues.set(QUEUES + "queues", "default,added");
        queues.set(QUEUES + "default.capacity", "60");
        queues.set(QUEUES + "added.capacity", "40");
    }

    private void assertNothingRuns() {
        assertThat(overview().trainingAddress()).isEmpty();
        Await.until("no thread of training is left", () -> threads("optimus-") == 0);
        assertThat(DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME))
                .isNull();
    }

    private static long threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .count();
    }

    private OptimusScheduler scheduler() {
        return (OptimusScheduler) resourceManager.getResourceScheduler();
    }

    private SchedulerOverview overview() {
        return scheduler().overview().orElseThrow();
    }

    private void refresh() throws Exception {
        writeFiles();
        resourceManager.getRMContext().getRMAdminService().refreshQueues(RefreshQueuesRequest.newInstance());
    }

    private void start() throws IOException {
        String root = folder.getRoot().toURI().toString();
        site.setClass(YarnConfiguration.RM_SCHEDULER, OptimusScheduler.class, OptimusScheduler.class);
        site.set(YarnConfiguration.RESOURCE_TYPES, "yarn.io/gpu");
        site.set(YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR, root + "attributes");
        site.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, 50);
        site.set(YarnConfiguration.RM_HOSTNAME, "localhost");
        for (String address : YarnConfiguration.getServiceAddressConfKeys(site)) {
            site.set(address, "localhost:0");
        }
        writeFiles();
        Configuration configuration = new YarnConfiguration();
        configuration.set(
                YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS,
                FileSystemBasedConfigurationProvider.class.getName());
        configuration.set(YarnConfiguration.FS_BASED_RM_CONF_STORE, root);
        ResourceUtils.resetResourceTypes(site);
        resourceManager.init(configuration);
        resourceManager.start();
    }

    private void writeFiles() throws IOException {
        Path root = folder.getRoot().toPath();
        write(site, root.resolve(YarnConfiguration.YARN_SITE_CONFIGURATION_FILE));
        write(queues, root.resolve(YarnConfiguration.CS_CONFIGURATION_FILE));
    }

    private static void write(Configuration configuration, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            configuration.writeXml(out);
        }
    }
}
