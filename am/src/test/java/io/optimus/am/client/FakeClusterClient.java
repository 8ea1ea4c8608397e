package io.optimus.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.OrderClient;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.cluster.SchedulerJob;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.model.cluster.Resources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/** A cluster in memory, with a scheduler and a clock. */
public final class FakeClusterClient implements ClusterClient, ClientEnvironment {
    static final String ID = "application_1700000000000_0001";

    final Map<String, ApplicationSummary> applications = new LinkedHashMap<>();
    final List<ApplicationSubmissionContext> submitted = new ArrayList<>();
    final List<String> killed = new ArrayList<>();
    final Map<String, Integer> priorities = new LinkedHashMap<>();
    /** YARN's maximum. */
    int highestPriority = 10;

    final Map<String, SchedulerJob> scheduled = new LinkedHashMap<>();
    String remark = "";
    /** What it was asked for, by path. */
    final List<String> questions = new ArrayList<>();

    String asked = "";
    /** Its answers in JSON, by path. */
    final Map<String, String> answers = new LinkedHashMap<>();
    /** Orders to the scheduler. */
    final List<String> orders = new ArrayList<>();
    /** Why it refuses them; empty if it does not. */
    String refusal = "";

    LargestContainer largest =
            new LargestContainer(List.of("memory-mb", "vcores", "yarn.io/gpu"), Resources.of(8192, 8, 4));
    List<ClusterQueue> queues = List.of();
    boolean reachable = true;
    /** What happens at each pause; the job succeeds when the list is empty. */
    final List<Runnable> pauses = new ArrayList<>();
    /** Whether YARN accepts the job and the call fails all the same. */
    boolean failsAfterSubmit;
    /** YARN's type of the application. */
    String type = TRAINING_TYPE;

    /** The owner of the job. */
    String owner = System.getProperty("user.name");

    /** Whether calls about a job fail. */
    boolean away;
    /** How long a pause takes, milliseconds. */
    long pauseMillis = 1_000;

    long nowMillis;

    int columns;
    /** Environment variables. */
    final Map<String, String> variables = new LinkedHashMap<>();

    /** The terminal, if there is one. */
    Optional<Terminal> terminal = Optional.empty();

    boolean closed;

    final List<MasterContainer> masters = new ArrayList<>();
    final Map<String, String> nodeAddresses = new LinkedHashMap<>();
    /** The address of each job's page. */
    String trackingUrl = "http://rm/proxy/" + ID;

    @Override
    public NewApplication newApplication() throws IOException {
        if (!reachable) {
            throw new IOException("Connection refused");
        }
        return new NewApplication(ApplicationId.fromString(ID), largest);
    }

    @Override
    public List<ClusterQueue> queues() {
        return queues;
    }

    @Override
    public void submit(ApplicationSubmissionContext context) throws IOException {
        submitted.add(context);
        state("ACCEPTED", Outcome.OPEN, "");
        if (failsAfterSubmit) {
            throw new IOException("Connection lost");
        }
    }

    void state(String state, Outcome outcome, String diagnostics) {
        applications.put(
                ID,
                new ApplicationSummary(
                        ID,
                        type,
                        "a",
                        owner,
                        "default",
                        new ApplicationSummary.Status(state, outcome, diagnostics),
                        trackingUrl,
                        new ApplicationSummary.Period(0, 42_000)));
    }

    @Override
    public Optional<ApplicationSummary> find(String id) throws IOException {
        if (away) {
            throw new IOException("Connection refused");
        }
        return Optional.ofNullable(applications.get(id));
    }

    @Override
    public List<ApplicationSummary> trainingJobs() {
        return List.copyOf(applications.values());
    }

    @Override
    public List<MasterContainer> masters(String id) {
        return masters;
    }

    @Override
    public Map<String, String> nodeAddresses() {
        return nodeAddresses;
    }

    @Override
    public int setPriority(String id, int priority) {
        priorities.put(id, Math.min(priority, highestPriority));
        return Math.min(priority, highestPriority);
    }

    @Override
    public void kill(String id) {
        killed.add(id);
        state("KILLED", Outcome.KILLED, "");
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public ClusterClient cluster(Configuration configuration) {
        return this;
    }

    @Override
    public SchedulerClient scheduler(Configuration configuration) {
        return new SchedulerClient() {
            @Override
            public Answer jobs() {
                questions.add("/jobs");
                return new Answer(Map.copyOf(scheduled), remark);
            }

            @Override
            public Answer job(String id) {
                questions.add("/jobs/" + id);
                SchedulerJob job = scheduled.get(id);
                return new Answer(job == null ? Map.of() : Map.of(id, job), remark);
            }

            @Override
            public JsonNode ask(String path, @Nullable JsonNode question) throws IOException {
                asked = question == null ? "" : question.toString();
                return read(path);
            }

            @Override
            public JsonNode read(String path) throws IOException {
                return find(path).orElseThrow(() -> new IOException("The scheduler does not know " + path));
            }

            @Override
            public Optional<JsonNode> find(String path) throws IOException {
                questions.add(path);
                String answer = answers.get(path);
                return answer == null ? Optional.empty() : Optional.of(new ObjectMapper().readTree(answer));
            }
        };
    }

    @Override
    public OrderClient orders(Configuration configuration) {
        return new OrderClient() {
            @Override
            public void give(String path) throws IOException {
                order("give " + path);
            }

            @Override
            public void takeBack(String path) throws IOException {
                order("take back " + path);
            }
        };
    }

    private void order(String order) throws IOException {
        if (!refusal.isEmpty()) {
            throw new IOException(refusal);
        }
        orders.add(order);
    }

    @Override
    public @Nullable String variable(String name) {
        return variables.get(name);
    }

    @Override
    public void pause() {
        nowMillis += pauseMillis;
        if (pauses.isEmpty()) {
            state("FINISHED", Outcome.SUCCEEDED, "");
        } else {
            pauses.remove(0).run();
        }
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public Optional<Terminal> terminal() {
        return terminal;
    }

    @Override
    public long nowMillis() {
        return nowMillis;
    }
}
