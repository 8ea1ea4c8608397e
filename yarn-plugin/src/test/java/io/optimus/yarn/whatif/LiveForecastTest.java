package io.optimus.yarn.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.Allocation;
import io.optimus.model.numerics.Medians;
import io.optimus.protocol.MessageJson;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.RoleSpecProto;
import io.optimus.yarn.Await;
import io.optimus.yarn.page.FollowingJob;
import io.optimus.yarn.page.PageCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.AfterClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Asks a real ResourceManager about a job, submits it then, and holds what came against what was predicted. */
@RunWith(Parameterized.class)
public class LiveForecastTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int STEPS_PER_EPOCH = 100;
    private static final int OTHERS_EPOCHS = 40;
    /** The sizes that an earlier run of the job has measured. */
    private static final List<Allocation> MEASURED =
            List.of(new Allocation(1, 1), new Allocation(1, 2), new Allocation(2, 2), new Allocation(2, 4));

    private static final List<Double> START_ERRORS = new ArrayList<>();
    private static final List<Double> END_ERRORS = new ArrayList<>();

    @Rule
    public final Timeout timeout = new Timeout(180, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Parameter
    public Case scene = new Case("", 1, 0, 0, 1, 1, "");

    /**
     * A cluster, and a job that is asked about.
     *
     * @param name what it is
     * @param nodes number of nodes with 4 GPUs
     * @param others jobs that run already
     * @param othersSteps how many of their 4,000 steps those jobs have done
     * @param minimum fewest workers of the job
     * @param epochs of 100 steps after which the job ends
     * @param policy of all queues
     */
    public record Case(String name, int nodes, int others, int othersSteps, int minimum, int epochs, String policy) {
        @Override
        public String toString() {
            return name;
        }
    }

    @Parameters(name = "{0}")
    public static List<Case> cases() {
        return List.of(
                new Case("alone on one node", 1, 0, 0, 1, 15, "marginal-goodput"),
                new Case("alone on three nodes", 3, 0, 0, 1, 15, "marginal-goodput"),
                new Case("beside one early job", 1, 1, 300, 1, 15, "marginal-goodput"),
                new Case("beside one job that is half done", 1, 1, 2000, 1, 15, "marginal-goodput"),
                new Case("beside one job that ends soon", 1, 1, 3200, 1, 20, "marginal-goodput"),
                new Case("beside two jobs on two nodes", 2, 2, 400, 1, 15, "marginal-goodput"),
                new Case("beside three jobs on one node", 1, 3, 300, 1, 10, "marginal-goodput"),
                new Case("a whole node at least, beside one job", 1, 1, 2000, 4, 15, "fifo"),
                new Case("under fifo, beside one job", 2, 1, 2000, 1, 15, "fifo"),
                new Case("under optimus, beside one job", 1, 1, 1000, 1, 15, "optimus"));
    }

    @Test
    public void comesAsPredicted() throws Exception {
        Map<String, String> settings = Map.of("yarn.scheduler.optimus.policy", scene.policy());
        try (PageCluster cluster = new PageCluster(folder.getRoot().toPath(), settings)) {
            cluster.nodes(scene.nodes(), 4);
            for (int other = 0; other < scene.others(); other++) {
                train(
                        cluster,
                        PageCluster.registration("other-" + other, OTHERS_EPOCHS)
                                .build(),
                        OTHERS_EPOCHS);
            }
            awaitOthers(cluster);
            RegisterJobRequestProto registration = registration();

            JsonNode forecast = ask(cluster, registration);
            long asked = System.nanoTime();
            FollowingJob job = train(cluster, registration, scene.epochs());
            cluster.awaitSteps(job, 1);
            double started = (System.nanoTime() - asked) / 1e9;
            cluster.awaitSteps(job, (long) scene.epochs() * STEPS_PER_EPOCH);
            hold(forecast, started, (System.nanoTime() - asked) / 1e9);
        }
    }

    private final List<FollowingJob> others = new ArrayList<>();

    private FollowingJob train(PageCluster cluster, RegisterJobRequestProto registration, int epochs) throws Exception {
        FollowingJob job = cluster.train(registration);
        job.endAt((long) epochs * STEPS_PER_EPOCH);
        others.add(job);
        return job;
    }

    private void awaitOthers(PageCluster cluster) throws Exception {
        for (FollowingJob other : List.copyOf(others)) {
            Await.until("the ends of the others are predicted", () -> cluster.overview()
                    .state()
                    .beliefs()
                    .of(other.id())
                    .filter(known -> known.remaining().toOptional().isPresent()
                            && known.believed().isPresent())
                    .isPresent());
        }
        if (!others.isEmpty()) {
            cluster.awaitSteps(others.get(0), scene.othersSteps());
        }
    }

    private RegisterJobRequestProto registration() {
        RegisterJobRequestProto.Builder job = PageCluster.registration("asked", scene.epochs());
        for (int role = 0; role < job.getRolesCount(); role++) {
            RoleSpecProto.Builder spec = job.getRolesBuilder(role);
            if (spec.getRole() == RoleProto.WORKER) {
                spec.setMin(scene.minimum());
            }
        }
        return job.build();
    }

    private JsonNode ask(PageCluster cluster, RegisterJobRequestProto registration) throws Exception {
        ObjectNode question = JSON.createObjectNode();
        ObjectNode job = question.putObject("job");
        job.set("registration", MessageJson.of(registration));
        job.put("queue", "default").put("steps", scene.epochs() * STEPS_PER_EPOCH);
        job.putObject("master").put("memory-mb", 256).put("vcores", 1);
        ArrayNode speeds = job.putArray("speeds");
        for (Allocation size : MEASURED) {
            speeds.addObject()
                    .put("parameterServers", size.parameterServers())
                    .put("workers", size.workers())
                    .put("stepsPerSecond", FollowingJob.stepsPerSecond(size));
        }
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(
                                        URI.create(cluster.address() + "/ws/v1/optimus/what-if?user.name=" + user))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(question.toString()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body())
                .path("changes")
                .path(0)
                .path("job")
                .path("forecast");
    }

    private void hold(JsonNode forecast, double started, double ended) {
        assertThat(forecast.path("startSeconds").isNumber())
                .as(forecast.toString())
                .isTrue();
        assertThat(forecast.path("endSeconds").isNumber())
                .as(forecast.toString())
                .isTrue();
        double start = forecast.path("startSeconds").asDouble();
        double end = forecast.path("endSeconds").asDouble();
        START_ERRORS.add(Math.abs(start - started));
        END_ERRORS.add(Math.abs(end - ended) / ended);
        System.out.println(String.format(
                Locale.ROOT,
                "live forecast, %s: start predicted %.1f s, was %.1f s; end predicted %.1f s, was %.1f s",
                scene,
                start,
                started,
                end,
                ended));
        assertThat(start).isBetween(started / 3 - 5, 3 * started);
        assertThat(end).isBetween(ended / 2, 2 * ended);
    }

    @AfterClass
    public static void summary() {
        if (!END_ERRORS.isEmpty()) {
            System.out.println(String.format(
                    Locale.ROOT,
                    "live forecasts, %d cases: starts median error %.1f s, worst %.1f s; ends median %.0f %%, worst %.0f %%",
                    END_ERRORS.size(),
                    median(START_ERRORS),
                    START_ERRORS.stream().mapToDouble(Double::doubleValue).max().orElse(0),
                    100 * median(END_ERRORS),
                    100
                            * END_ERRORS.stream()
                                    .mapToDouble(Double::doubleValue)
                                    .max()
                                    .orElse(0)));
        }
    }

    private static double median(List<Double> values) {
        return Medians.mean(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
