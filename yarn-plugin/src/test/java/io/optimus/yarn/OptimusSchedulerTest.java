package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.protocol.TrainingAddress;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.Applications;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.metrics.OptimusMetrics;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** The scheduler in a real ResourceManager: its start, its REST, its end. */
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

    @After
    public void stop() {
        resourceManager.stop();
        ResourceUtils.resetResourceTypes(new Configuration(false));
    }

    @Test
    public void servesJobsAndRestWhileItIsActiveAndLeavesNothingBehind() throws Exception {
        start();
        OptimusScheduler scheduler = (OptimusScheduler) resourceManager.getResourceScheduler();
        InetSocketAddress address = scheduler.overview().trainingAddress().orElseThrow();
        assertThat(TrainingAddress.ofAll(configuration)).containsExactly(address);

        JsonNode info = get("/ws/v1/optimus", 200);
        assertThat(info.get("mode").asText()).isEqualTo("enforce");
        assertThat(info.get("trainingAddress").asText()).endsWith(":" + address.getPort());
        assertThat(get("/ws/v1/optimus/jobs", 200).get("jobs")).isEmpty();
        assertThat(get("/ws/v1/optimus/plan", 200).get("rounds").isArray()).isTrue();
        for (String nobody : List.of("application_1_0001", "nonsense")) {
            assertThat(get("/ws/v1/optimus/jobs/" + nobody, 404).get("message").asText())
                    .contains(nobody);
        }
        assertThat(DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME))
                .isNotNull();

        resourceManager.stop();

        assertThat(DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME))
                .isNull();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.equals("optimus-round"));
        assertThat(scheduler.overview().trainingAddress()).isEmpty();
    }

    @Test
    public void refusesToStartWithGpusThatNobodyAccountsFor() {
        configuration.set("yarn.scheduler.capacity.resource-calculator", DefaultResourceCalculator.class.getName());
        configuration.set("yarn.scheduler.optimus.round-interval", "often");

        assertThatThrownBy(this::start)
                .hasStackTraceContaining("2 configuration problem(s)")
                .hasStackTraceContaining("Remedy: set yarn.scheduler.capacity.resource-calculator=")
                .hasStackTraceContaining("yarn.scheduler.optimus.round-interval=often");
    }

    @Test
    public void refusesAJobToWhomMayNotViewItAndLeavesItOutOfLists() throws Exception {
        configuration.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
        configuration.set(YarnConfiguration.YARN_ADMIN_ACL, "root-of-all");
        configuration.set("yarn.scheduler.capacity.root.acl_administer_queue", " ");
        configuration.set("yarn.scheduler.capacity.root.default.acl_administer_queue", " ");
        start();
        ApplicationId id = submit();
        OptimusScheduler scheduler = (OptimusScheduler) resourceManager.getResourceScheduler();
        scheduler
                .overview()
                .registry()
                .register(
                        new ApplicationFacts(ApplicationAttemptId.newInstance(id, 1), "me", "root.default", 0),
                        Jobs.LIMITS,
                        Jobs.registration().build());
        String owner = UserGroupInformation.getCurrentUser().getShortUserName();

        assertThat(get("/ws/v1/optimus/jobs/" + id + "?user.name=" + owner, 200)
                        .get("id")
                        .asText())
                .isEqualTo(id.toString());
        assertThat(get("/ws/v1/optimus/jobs?user.name=" + owner, 200).get("jobs"))
                .hasSize(1);
        assertThat(get("/ws/v1/optimus/jobs/" + id + "?user.name=stranger", 403)
                        .get("message")
                        .asText())
                .contains(id.toString());
        assertThat(get("/ws/v1/optimus/jobs?user.name=stranger", 200).get("jobs"))
                .isEmpty();
    }

    private ApplicationId submit() throws Exception {
        ApplicationId id = resourceManager
                .getClientRMService()
                .getNewApplication(GetNewApplicationRequest.newInstance())
                .getApplicationId();
        ContainerLaunchContext master =
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of("true"), Map.of(), null, Map.of());
        resourceManager
                .getClientRMService()
                .submitApplication(SubmitApplicationRequest.newInstance(ApplicationSubmissionContext.newInstance(
                        id,
                        "job",
                        "default",
                        Priority.newInstance(0),
                        master,
                        false,
                        false,
                        1,
                        Resource.newInstance(1024, 1),
                        Applications.TRAINING_TYPE)));
        return id;
    }

    private void start() {
        // Otherwise a folder of all ResourceManagers of this machine.
        configuration.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                folder.getRoot().toURI().toString());
        ResourceUtils.resetResourceTypes(configuration);
        resourceManager.init(configuration);
        resourceManager.start();
    }

    private JsonNode get(String path, int status) throws Exception {
        InetSocketAddress web = NetUtils.createSocketAddr(configuration.get(YarnConfiguration.RM_WEBAPP_ADDRESS));
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + web.getPort() + path))
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
        // The one address that YARN does not write back.
        configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "localhost:" + NetUtils.getFreeSocketPort());
        configuration.set("yarn.scheduler.capacity.resource-calculator", DominantResourceCalculator.class.getName());
        configuration.set("yarn.scheduler.capacity.root.queues", "default");
        configuration.set("yarn.scheduler.capacity.root.default.capacity", "100");
        return configuration;
    }
}
