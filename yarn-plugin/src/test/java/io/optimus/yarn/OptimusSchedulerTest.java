package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.protocol.TrainingAddress;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.read.ResourceManagerApplications;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.After;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tests the scheduler in a real ResourceManager: start, REST and stop. */
public final class OptimusSchedulerTest {
    @Rule
    public final Timeout timeout = new Timeout(90, TimeUnit.SECONDS);

    private static final List<String> ADDRESSES = List.of(
            YarnConfiguration.RM_ADDRESS,
            YarnConfiguration.RM_SCHEDULER_ADDRESS,
            YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
            YarnConfiguration.RM_ADMIN_ADDRESS,
            TrainingAddress.ADDRESS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Configuration configuration = configuration();
    private final ResourceManager resourceManager = new ResourceManager();

    /** A ResourceManager that fails to start leaves metrics behind, which would keep a second one from starting. */
    @BeforeClass
    public static void allowSeveralResourceManagersInThisJvm() {
        DefaultMetricsSystem.setMiniClusterMode(true);
    }

    @After
    public void stop() {
        if (!resourceManager.isInState(Service.STATE.NOTINITED)) {
            resourceManager.stop();
        }
        ResourceUtils.resetResourceTypes(new Configuration(false));
    }

    @Test
    public void servesJobsAndRestWhileItIsActiveAndLeavesNothingBehind() throws Exception {
        start();
        OptimusScheduler scheduler = scheduler();
        InetSocketAddress address =
                scheduler.overview().orElseThrow().trainingAddress().orElseThrow();
        assertThat(TrainingAddress.ofAll(configuration)).containsExactly(address);

        JsonNode info = get("/ws/v1/optimus", 200);
        assertThat(info.get("mode").asText()).isEqualTo("enforce");
        assertThat(info.get("trainingAddress").asText()).endsWith(":" + address.getPort());
        assertThat(info.get("rounds").asLong()).as("nothing to plan").isZero();
        assertThat(get("/ws/v1/optimus/jobs", 200).get("jobs")).isEmpty();
        assertThat(get("/ws/v1/optimus/plan", 200).get("rounds").isArray()).isTrue();
        for (String unknown : List.of("application_1_0001", "nonsense")) {
            assertThat(get("/ws/v1/optimus/jobs/" + unknown, 404).get("message").asText())
                    .contains(unknown);
        }
        assertThat(DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME))
                .isNotNull();

        resourceManager.stop();

        assertThat(DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME))
                .isNull();
        assertThat(threads()).noneMatch(name -> name.startsWith("optimus-"));
        assertThat(scheduler.overview().orElseThrow().trainingAddress()).isEmpty();
    }

    @Test
    public void refusesToStartWithInvalidSettings() {
        configuration.set("yarn.scheduler.optimus.round-interval", "often");
        configuration.set("yarn.scheduler.optimus.rond-gap", "1s");

        assertThatThrownBy(this::start)
                .hasStackTraceContaining("2 configuration problem(s)")
                .hasStackTraceContaining("yarn.scheduler.optimus.round-interval=often")
                .hasStackTraceContaining("yarn.scheduler.optimus.rond-gap");
    }

    @Test
    public void refusesToStartLikeCapacitySchedulerIfGpusAreNotCounted() {
        configuration.set("yarn.scheduler.capacity.resource-calculator", DefaultResourceCalculator.class.getName());

        assertThatThrownBy(this::start).hasStackTraceContaining("Use DominantResourceCalculator instead");
    }

    @Test
    public void startsButServesNoTrainingInAFederation() throws Exception {
        configuration.setBoolean(YarnConfiguration.FEDERATION_ENABLED, true);
        configuration.set(YarnConfiguration.RM_CLUSTER_ID, "one-of-many");

        start();

        JsonNode info = get("/ws/v1/optimus", 200);
        assertThat(info.get("problems"))
                .singleElement()
                .extracting(JsonNode::asText)
                .asString()
                .contains("yarn.federation.enabled=true", "Remedy: take this cluster out of the federation");
        assertThat(info.get("trainingAddress").isNull()).isFalse();
        assertThat(DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME))
                .isNull();
    }

    @Test
    public void listensNowhereAndRegistersNothingInModeOff() throws Exception {
        configuration.set("yarn.scheduler.optimus.mode", "off");

        start();

        assertThat(configuration.get(TrainingAddress.ADDRESS)).isEqualTo("localhost:0");
        assertThat(get("/ws/v1/optimus", 200).get("mode").asText()).isEqualTo("off");
        assertThat(get("/ws/v1/optimus", 200).get("trainingAddress").isNull()).isTrue();
        assertThat(DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME))
                .isNull();
        assertThat(threads()).noneMatch(name -> name.startsWith("optimus-"));
    }

    @Test
    public void refusesOrdersInModeOffBecauseItWouldForgetThem() throws Exception {
        configuration.set("yarn.scheduler.optimus.mode", "off");

        start();

        assertThat(call("PUT", "/ws/v1/optimus/pause?user.name=operator", 409)
                        .get("message")
                        .asText())
                .contains("In mode off", "Remedy: set yarn.scheduler.optimus.mode");
        assertThat(get("/ws/v1/optimus", 200).get("pause").isNull()).isTrue();
    }

    @Test
    public void refusesToStartIfTheConfiguredPortIsTaken() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            configuration.set(TrainingAddress.ADDRESS, "localhost:" + other.getLocalPort());

            assertThatThrownBy(this::start)
                    .hasStackTraceContaining("cannot listen at localhost:" + other.getLocalPort())
                    .hasStackTraceContaining("Remedy: set yarn.resourcemanager.optimus.address=HOST:PORT");
            assertThat(threads()).noneMatch(name -> name.startsWith("optimus-"));
        }
    }

    @Test
    public void startsWithoutTrainingIfTheDefaultPortIsTaken() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            // An earlier ResourceManager of this JVM may still run and have left this value.
            TrainingAddress.publish(configuration, new InetSocketAddress("localhost", other.getLocalPort()));

            start();

            assertThat(get("/ws/v1/optimus", 200).get("problems"))
                    .singleElement()
                    .extracting(JsonNode::asText)
                    .asString()
                    .contains("cannot listen at localhost:" + other.getLocalPort());
            assertThat(threads()).noneMatch(name -> name.startsWith("optimus-"));
        }
    }

    @Test
    public void servesIfTheInitialisedObjectIsACopyOfTheConstructedOne() {
        ResourceManager copying = new ResourceManager() {
            @Override
            protected ResourceScheduler createScheduler() {
                return (ResourceScheduler) copyOf(super.createScheduler());
            }
        };
        try {
            start(copying);

            OptimusScheduler scheduler = (OptimusScheduler) copying.getResourceScheduler();
            assertThat(scheduler.overview().orElseThrow().trainingAddress()).isPresent();
        } finally {
            copying.stop();
        }
    }

    @Test
    public void hasNothingToShowBeforeItIsInitialised() {
        assertThat(new OptimusScheduler().overview()).isEmpty();
    }

    /** Returns what a mocking library's spy is: another object with the same values in all fields. */
    private static OptimusScheduler copyOf(Object scheduler) {
        OptimusScheduler copy = new OptimusScheduler();
        try {
            for (Class<?> type = scheduler.getClass(); type != Object.class; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        field.setAccessible(true);
                        field.set(copy, field.get(scheduler));
                    }
                }
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        return copy;
    }

    @Test
    public void hidesAJobFromCallersThatMayNotViewIt() throws Exception {
        configuration.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
        configuration.set(YarnConfiguration.YARN_ADMIN_ACL, "root-of-all");
        configuration.set("yarn.scheduler.capacity.root.acl_administer_queue", " ");
        configuration.set("yarn.scheduler.capacity.root.default.acl_administer_queue", " ");
        start();
        ApplicationId id = submit();
        scheduler()
                .overview()
                .orElseThrow()
                .state()
                .registry()
                .register(
                        new ApplicationFacts(ApplicationAttemptId.newInstance(id, 1), "me", "root.default", 0, 0),
                        Jobs.LIMITS,
                        Jobs.registration().build());
        String owner = UserGroupInformation.getCurrentUser().getShortUserName();

        assertThat(get("/ws/v1/optimus/jobs/" + id + "?user.name=" + owner, 200)
                        .get("id")
                        .asText())
                .isEqualTo(id.toString());
        assertThat(get("/ws/v1/optimus/jobs?user.name=" + owner, 200).get("jobs"))
                .hasSize(1);
        String size = "/ws/v1/optimus/jobs/" + id + "/size";
        call("PUT", size + "?workers=3&parameterServers=1&user.name=" + owner, 200);
        JsonNode fixed =
                get("/ws/v1/optimus/jobs/" + id + "?user.name=" + owner, 200).get("fixedSize");
        assertThat(fixed.get("workers").asInt()).isEqualTo(3);
        assertThat(fixed.get("by").asText()).isEqualTo(owner);
        assertThat(call("PUT", size + "?workers=9&parameterServers=1&user.name=" + owner, 409)
                        .get("message")
                        .asText())
                .contains("1 ps + 1 worker", "4 ps + 8 workers");
        call("PUT", size + "?user.name=" + owner, 409);
        for (int workers : List.of(3, 9)) {
            assertThat(call("PUT", size + "?workers=" + workers + "&parameterServers=1&user.name=stranger", 403)
                            .get("message")
                            .asText())
                    .as("whatever the size is")
                    .contains("stranger may not do this");
        }
        call("DELETE", size + "?user.name=" + owner, 200);
        call("DELETE", size + "?user.name=" + owner, 404);
        assertThat(get("/ws/v1/optimus/jobs/" + id + "?user.name=stranger", 403)
                        .get("message")
                        .asText())
                .contains(id.toString());
        assertThat(get("/ws/v1/optimus/jobs?user.name=stranger", 200).get("jobs"))
                .isEmpty();
    }

    @Test
    public void onlyAdministratorsGiveOrdersAndAllAreAudited() throws Exception {
        configuration.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
        configuration.set(YarnConfiguration.YARN_ADMIN_ACL, "root-of-all");
        configuration.set("yarn.scheduler.capacity.root.acl_administer_queue", " ");
        configuration.set("yarn.scheduler.capacity.root.default.acl_administer_queue", "head");
        start();
        try (AuditLog audit = new AuditLog()) {
            assertThat(call("PUT", "/ws/v1/optimus/pause?user.name=head", 403)
                            .get("message")
                            .asText())
                    .contains("head", "yarn.admin.acl");
            assertThat(get("/ws/v1/optimus", 200).get("pause").isNull()).isTrue();
            call("PUT", "/ws/v1/optimus/drained-nodes/a:1?user.name=root-of-all", 404);
            call("PUT", "/ws/v1/optimus/drained-queues/root.unknown?user.name=root-of-all", 404);
            call("PUT", "/ws/v1/optimus/drained-queues/root.default?user.name=stranger", 403);
            call("PUT", "/ws/v1/optimus/pause?user.name=a%0Ab", 401);

            JsonNode pause = call("PUT", "/ws/v1/optimus/pause?user.name=root-of-all", 200)
                    .get("pause");
            assertThat(pause.get("by").asText()).isEqualTo("root-of-all");
            assertThat(get("/ws/v1/optimus", 200).get("pause")).isEqualTo(pause);
            assertThat(call("DELETE", "/ws/v1/optimus/pause?user.name=root-of-all", 200)
                            .get("pause")
                            .isNull())
                    .isTrue();
            assertThat(call("PUT", "/ws/v1/optimus/drained-queues/default?user.name=head", 200)
                            .get("drainedQueues")
                            .has("root.default"))
                    .isTrue();
            assertThat(call("DELETE", "/ws/v1/optimus/drained-queues/default?user.name=head", 200)
                            .get("drainedQueues"))
                    .isEmpty();

            assertThat(audit.lines("Pause Training Rounds"))
                    .satisfiesExactly(
                            refused -> assertThat(refused).contains("USER=head", "RESULT=FAILURE"),
                            done -> assertThat(done).contains("USER=root-of-all", "RESULT=SUCCESS"));
            assertThat(audit.lines("Resume Training Rounds")).hasSize(1);
            assertThat(audit.lines("Drain Queue of Training\tTARGET=root.default"))
                    .hasSize(2);
            assertThat(audit.lines("Use Queue for Training")).hasSize(1);
        }
    }

    @Test
    public void afterARestartAwaitsNoJobWhoseMasterHasNoContainer() throws Exception {
        start();
        ApplicationId id = submit();
        ResourceManagerApplications applications = new ResourceManagerApplications(resourceManager::getRMContext);

        assertThat(resourceManager.getRMContext().getRMApps()).containsKey(id);
        assertThat(applications.training()).isEmpty();
    }

    private ApplicationId submit() throws Exception {
        return TrainingApplications.submit(resourceManager, "job", false);
    }

    private OptimusScheduler scheduler() {
        return (OptimusScheduler) resourceManager.getResourceScheduler();
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }

    private void start() {
        start(resourceManager);
    }

    private void start(ResourceManager starting) {
        // The default is a folder that all ResourceManagers of this machine share.
        configuration.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                folder.getRoot().toURI().toString());
        ResourceUtils.resetResourceTypes(configuration);
        starting.init(configuration);
        starting.start();
    }

    private JsonNode get(String path, int status) throws Exception {
        return call("GET", path, status);
    }

    private JsonNode call(String method, String path, int status) throws Exception {
        InetSocketAddress web = NetUtils.createSocketAddr(configuration.get(YarnConfiguration.RM_WEBAPP_ADDRESS));
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + web.getPort() + path))
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return new ObjectMapper().readTree(response.body());
    }

    private static Configuration configuration() {
        Configuration configuration = new YarnConfiguration();
        configuration.setClass(YarnConfiguration.RM_SCHEDULER, OptimusScheduler.class, OptimusScheduler.class);
        configuration.set(YarnConfiguration.RESOURCE_TYPES, "yarn.io/gpu");
        configuration.set("yarn.http.rmwebapp.external.classes", "io.optimus.yarn.web.OptimusResource");
        for (String address : ADDRESSES) {
            configuration.set(address, "localhost:0");
        }
        // YARN does not write this address back.
        configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "localhost:" + FreePort.find());
        configuration.set("yarn.scheduler.capacity.resource-calculator", DominantResourceCalculator.class.getName());
        configuration.set("yarn.scheduler.capacity.root.queues", "default");
        configuration.set("yarn.scheduler.capacity.root.default.capacity", "100");
        return configuration;
    }
}
