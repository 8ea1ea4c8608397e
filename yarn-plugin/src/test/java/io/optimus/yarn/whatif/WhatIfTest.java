package io.optimus.yarn.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.protocol.MessageJson;
import io.optimus.yarn.Await;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.operator.Order;
import io.optimus.yarn.page.FollowingJob;
import io.optimus.yarn.page.PageCluster;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.web.AnswerSchema;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Questions to a real ResourceManager with a job that trains on a simulated node of 4 GPUs. */
public class WhatIfTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NODE = "localhost:10001";

    @Rule
    public final Timeout timeout = new Timeout(120, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private PageCluster cluster;

    @Before
    public void start() throws Exception {
        cluster = new PageCluster(
                folder.getRoot().toPath(),
                Map.of(
                        "yarn.acl.enable", "true",
                        "yarn.admin.acl", "root-of-all",
                        "yarn.scheduler.capacity.root.acl_administer_queue", " ",
                        "yarn.scheduler.capacity.root.default.acl_administer_queue", " "));
        cluster.nodes(1, 4);
    }

    @After
    public void stop() throws Exception {
        cluster.close();
    }

    private static String me() throws Exception {
        return UserGroupInformation.getCurrentUser().getShortUserName();
    }

    private HttpResponse<String> ask(String user, JsonNode question) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(
                                        URI.create(cluster.address() + "/ws/v1/optimus/what-if?user.name=" + user))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(question.toString()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode change(String user, JsonNode question) throws Exception {
        HttpResponse<String> response = ask(user, question);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        ObjectNode answer = (ObjectNode) JSON.readTree(response.body());
        AnswerSchema.hold(answer, "Forecasts");
        return answer.path("changes").path(0);
    }

    private static ObjectNode question(String json) throws Exception {
        return (ObjectNode) JSON.readTree(json);
    }

    private static ObjectNode job(String name) {
        ObjectNode question = JSON.createObjectNode();
        ObjectNode job = question.putObject("job");
        job.set("registration", MessageJson.of(Jobs.registration().setName(name).build()));
        job.put("queue", "default");
        job.putObject("master").put("memory-mb", 256).put("vcores", 1);
        return question;
    }

    /** A job whose owner says how fast and how long it is. */
    private static ObjectNode knownJob(String name) {
        ObjectNode question = job(name);
        ObjectNode job = (ObjectNode) question.path("job");
        job.put("steps", 1000);
        job.putArray("speeds")
                .addObject()
                .put("parameterServers", 1)
                .put("workers", 1)
                .put("stepsPerSecond", 60.0);
        return question;
    }

    private FollowingJob running() throws Exception {
        FollowingJob first = cluster.train("first");
        cluster.awaitSteps(first, 300);
        Await.until("its end is predicted", () -> cluster.overview()
                .state()
                .beliefs()
                .of(first.id())
                .filter(known -> known.remaining().toOptional().isPresent()
                        && known.believed().isPresent())
                .isPresent());
        return first;
    }

    @Test
    public void predictsWhatASubmittedJobThenGets() throws Exception {
        FollowingJob first = running();
        ObjectNode question = knownJob("second");
        PublishedPlan before = cluster.overview().state().plan().current();

        JsonNode change = change(me(), question);
        JsonNode forecast = change.path("job").path("forecast");
        assertThat(cluster.overview().state().registry().size()).isEqualTo(1);
        assertThat(cluster.overview().state().plan().current().jobs().keySet())
                .isEqualTo(before.jobs().keySet());
        assertThat(change.path("jobs").path(0).path("id").asText())
                .isEqualTo(first.id().toString());
        assertThat(change.path("job").path("speedFrom").asText()).startsWith("as given");

        long asked = System.nanoTime();
        FollowingJob second = cluster.train("second");
        cluster.awaitSteps(second, 1);
        double started = (System.nanoTime() - asked) / 1e9;
        Await.until("it is planned", () -> cluster.overview()
                .state()
                .plan()
                .current()
                .of(second.id())
                .isPresent());
        cluster.awaitSteps(second, 1000);
        double ended = (System.nanoTime() - asked) / 1e9;
        System.out.println(String.format(
                Locale.ROOT,
                "live: first size %s; start predicted %.1f s, was %.1f s; end predicted %.1f s, was %.1f s",
                forecast.path("planned"),
                forecast.path("startSeconds").asDouble(),
                started,
                forecast.path("endSeconds").asDouble(),
                ended));
        assertThat(forecast.path("startSeconds").asDouble()).isLessThan(started);
        assertThat(forecast.path("endSeconds").asDouble()).isBetween(ended / 4, 4 * ended);
    }

    @Test
    public void saysWhatIsNotKnownAndWhatEachChangeDoes() throws Exception {
        FollowingJob first = running();
        JsonNode unknown = change(me(), job("never-seen")).path("job");
        assertThat(unknown.path("forecast").path("endSeconds").isNull()).isTrue();
        assertThat(unknown.path("forecast").path("end").asText()).startsWith("no predicted end");
        assertThat(unknown.path("forecast").path("planned").path("workers").asInt())
                .isPositive();
        assertThat(unknown.path("speedFrom").asText()).startsWith("unknown");
        assertThat(unknown.path("reason").asText()).isNotBlank();

        JsonNode lost = change(me(), question("{\"lostNodes\": [\"" + NODE + "\"]}"));
        assertThat(lost.path("jobs")
                        .path(0)
                        .path("after")
                        .path("planned")
                        .path("workers")
                        .asInt())
                .isZero();
        assertThat(lost.path("jobs").path(0).path("after").path("end").asText()).startsWith("no predicted end");
        assertThat(lost.path("jobs").path(0).path("before").path("endSeconds").isNumber())
                .isTrue();

        JsonNode added = change(
                me(),
                question("{\"addedNodes\": [{\"resources\":"
                        + " {\"memory-mb\": 65536, \"vcores\": 32, \"yarn.io/gpu\": 4}}]}"));
        assertThat(added.path("all").path("compared").asInt()).isEqualTo(1);
        assertThat(added.path("jobs").path(0).path("laterSeconds").asDouble()).isLessThanOrEqualTo(0.5);

        JsonNode limited = change(me(), question("{\"queueLimits\": {\"root.default\": 50}}"));
        assertThat(limited.path("jobs")
                        .path(0)
                        .path("after")
                        .path("planned")
                        .path("workers")
                        .asInt())
                .isBetween(1, 2);
        change(me(), question("{\"policy\": \"drf\"}"));

        JsonNode stranger = change("stranger", question("{\"policies\": {\"root.default\": \"optimus\"}}"));
        assertThat(stranger.path("jobs")).isEmpty();
        assertThat(stranger.path("all").path("jobs").asInt()).isEqualTo(1);
        assertThat(cluster.overview().state().plan().current().jobs().keySet())
                .as("nothing has changed")
                .containsExactly(first.id());

        HttpResponse<String> capacity = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(
                                        URI.create(cluster.address() + "/ws/v1/optimus/capacity?user.name=" + me()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(capacity.statusCode()).as(capacity.body()).isEqualTo(200);
        ObjectNode answer = (ObjectNode) JSON.readTree(capacity.body());
        AnswerSchema.hold(answer, "Forecasts");
        assertThat(answer.path("changes").path(0).path("node").path("like").asInt())
                .isEqualTo(1);
    }

    @Test
    public void saysThatAJobsQueueIsDrained() throws Exception {
        cluster.overview().state().orders().drainQueue("root.default", new Order("operator", 1));
        ObjectNode question = knownJob("drained");

        JsonNode forecast = change(me(), question).path("job").path("forecast");

        assertThat(forecast.path("start").asText()).startsWith("no predicted start: its queue is drained");
        assertThat(forecast.path("end").asText()).startsWith("no predicted end: its queue is drained");
    }

    @Test
    public void answersOnAClusterWithoutTrainingAndNamesAllProblems() throws Exception {
        JsonNode alone = change(me(), job("alone"));
        assertThat(alone.path("job").path("forecast").path("startSeconds").asDouble())
                .isZero();

        HttpResponse<String> invalid = ask(
                me(),
                question("{\"policy\": \"nonsense\", \"queueLimits\": {\"root.none\": 50, \"root.default\": 0},"
                        + " \"lostNodes\": 1, \"more\": 1, \"job\": {\"queue\": \"nowhere\", \"registration\": {\"nme\":"
                        + " 1}}}"));
        assertThat(invalid.statusCode()).isEqualTo(400);
        assertThat(invalid.body())
                .contains("nonsense", "root.none", "root.default must be above 0", "lostNodes must be a list")
                .contains("no field more", "nowhere", "no field nme");
        HttpResponse<String> refused =
                ask(me(), question("{\"lostNodes\": [\"nobody:1\"], \"queueLimits\": {\"root.default\": 10}}"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("nobody:1");
        ObjectNode tooLarge = job("a");
        ((ObjectNode) tooLarge.path("job")).put("queue", "x".repeat(70_000));
        assertThat(ask(me(), tooLarge).statusCode()).isEqualTo(400);
        assertThat(ask(me(), JSON.createObjectNode()).body()).contains("names no change");
    }
}
