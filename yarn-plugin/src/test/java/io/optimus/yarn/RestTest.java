package io.optimus.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.protocol.TrainingAddress;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.Jobs;
import java.net.InetSocketAddress;
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
import org.apache.hadoop.yarn.api.protocolrecords.KillApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** REST of a real ResourceManager with YARN's own filters and ACLs. */
public final class RestTest {
    private static final String ROOT = "/ws/v1/optimus";

    @Rule
    public final Timeout timeout = new Timeout(90, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Configuration configuration = new YarnConfiguration();
    private final ResourceManager resourceManager = new ResourceManager();

    @Before
    public void start() {
        DefaultMetricsSystem.setMiniClusterMode(true);
        configuration.setClass(YarnConfiguration.RM_SCHEDULER, OptimusScheduler.class, OptimusScheduler.class);
        configuration.set(YarnConfiguration.RESOURCE_TYPES, "yarn.io/gpu");
        configuration.set("yarn.http.rmwebapp.external.classes", "io.optimus.yarn.web.OptimusResource");
        for (String address : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                TrainingAddress.ADDRESS)) {
            configuration.set(address, "localhost:0");
        }
        configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "localhost:" + FreePort.find());
        configuration.set("yarn.scheduler.capacity.resource-calculator", DominantResourceCalculator.class.getName());
        configuration.set("yarn.scheduler.capacity.root.queues", "default");
        configuration.set("yarn.scheduler.capacity.root.default.capacity", "100");
        configuration.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
        configuration.set(YarnConfiguration.YARN_ADMIN_ACL, "root-of-all");
        configuration.set("yarn.scheduler.capacity.root.acl_administer_queue", " ");
        configuration.set("yarn.scheduler.capacity.root.default.acl_administer_queue", " ");
        configuration.setBoolean(YarnConfiguration.RM_CSRF_ENABLED, true);
        configuration.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                folder.getRoot().toURI().toString());
        ResourceUtils.resetResourceTypes(configuration);
        resourceManager.init(configuration);
        resourceManager.start();
    }

    @After
    public void stop() {
        if (!resourceManager.isInState(Service.STATE.NOTINITED)) {
            resourceManager.stop();
        }
        ResourceUtils.resetResourceTypes(new Configuration(false));
    }

    @Test
    public void answersWithinYarnsAclsAlsoOfEndedJobs() throws Exception {
        ApplicationId id = job();
        String owner = UserGroupInformation.getCurrentUser().getShortUserName();
        String job = ROOT + "/jobs/" + id;

        assertThat(json(job + "/explain?user.name=" + owner).get("reason").asText())
                .isNotEmpty();
        assertThat(get(job + "/explain?user.name=stranger").statusCode()).isEqualTo(403);
        assertThat(json(ROOT + "/jobs?fields=id&user.name=" + owner).get("jobs").get(0))
                .hasSize(1);
        assertThat(get(ROOT + "/jobs?fields=idd&user.name=" + owner).statusCode())
                .isEqualTo(400);
        assertThat(json(ROOT + "/models?user.name=stranger").get("jobs")).isEmpty();
        assertThat(json(ROOT + "/models?user.name=" + owner).get("jobs")).hasSize(1);
        for (String path : List.of("/rounds", "/queues", "/plan", "/openapi.json")) {
            assertThat(get(ROOT + path).statusCode()).as(path).isEqualTo(200);
        }

        Await.until(
                "the cluster was read",
                () -> scheduler().state().log().lastView().isPresent());
        resourceManager.getClientRMService().forceKillApplication(KillApplicationRequest.newInstance(id));
        Await.until(
                "the application ended", () -> !scheduler().state().registry().contains(id));

        JsonNode ended = json(job + "?user.name=" + owner);
        assertThat(ended.get("state").asText()).isEqualTo("ended");
        assertThat(ended.get("outcome").asText()).isEqualTo("killed");
        assertThat(json(job + "/explain?user.name=" + owner)).isEqualTo(ended);
        assertThat(get(job + "?user.name=stranger").statusCode()).isEqualTo(403);
        assertThat(get(job + "/explain?user.name=stranger").statusCode()).isEqualTo(403);
        assertThat(json(ROOT + "/history?user.name=" + owner).get("jobs")).hasSize(1);
        assertThat(json(ROOT + "/history?user.name=stranger").get("jobs")).isEmpty();
    }

    @Test
    public void saysThatNothingHasChanged() throws Exception {
        HttpResponse<String> first = get(ROOT + "/openapi.json");
        String tag = first.headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> same = send(request(ROOT + "/openapi.json").header("If-None-Match", "\"other\", " + tag));
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        assertThat(send(request(ROOT + "/openapi.json").header("If-None-Match", "\"other\""))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    public void isBehindYarnsFilters() throws Exception {
        assertThat(get(ROOT).headers().firstValue("X-Frame-Options")).contains("SAMEORIGIN");
        HttpRequest.Builder forged = request(ROOT + "/pause?user.name=root-of-all")
                .header("User-Agent", "Mozilla/5.0")
                .PUT(HttpRequest.BodyPublishers.noBody());

        assertThat(send(forged).statusCode()).as("from another page").isEqualTo(400);
        assertThat(json(ROOT).get("pause").isNull()).isTrue();
        assertThat(send(forged.header("X-XSRF-Header", "any")).statusCode()).isEqualTo(200);

        HttpRequest.Builder question = request(ROOT + "/what-if?user.name=root-of-all")
                .header("User-Agent", "Mozilla/5.0")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"policy\":\"drf\"}"));

        assertThat(send(question).body()).as("from another page").contains("Missing Required Header for CSRF");
        assertThat(send(question.header("X-XSRF-Header", "any")).body()).doesNotContain("CSRF");
    }

    private ApplicationId job() throws Exception {
        ApplicationId id = TrainingApplications.submit(resourceManager, "job", false);
        String owner = UserGroupInformation.getCurrentUser().getShortUserName();
        scheduler()
                .state()
                .registry()
                .register(
                        new ApplicationFacts(ApplicationAttemptId.newInstance(id, 1), owner, "root.default", 0, 0),
                        Jobs.LIMITS,
                        Jobs.registration().build());
        return id;
    }

    private SchedulerOverview scheduler() {
        return ((OptimusScheduler) resourceManager.getResourceScheduler())
                .overview()
                .orElseThrow();
    }

    private HttpRequest.Builder request(String path) {
        InetSocketAddress web = NetUtils.createSocketAddr(configuration.get(YarnConfiguration.RM_WEBAPP_ADDRESS));
        return HttpRequest.newBuilder(URI.create("http://localhost:" + web.getPort() + path));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    private JsonNode json(String path) throws Exception {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new ObjectMapper().readTree(response.body());
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
