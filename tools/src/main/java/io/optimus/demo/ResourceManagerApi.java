package io.optimus.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Reads the REST interfaces of the ResourceManager, YARN's and ours. */
public final class ResourceManagerApi {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final ObjectMapper json = new ObjectMapper();
    private final URI base;

    /** Reads from the ResourceManager whose pages are at {@code base}. */
    public ResourceManagerApi(URI base) {
        this.base = base;
    }

    /** Returns all training jobs, as in {@code /ws/v1/optimus/jobs}. */
    JsonNode jobs() throws IOException, InterruptedException {
        return get("/ws/v1/optimus/jobs").path("jobs");
    }

    /**
     * Returns the speeds of a training job that were measured so far: an array of sizes with {@code stepsPerSecond}. It is
     * missing if the job has just ended, or if too few sizes were measured.
     */
    JsonNode measuredSpeeds(String id) throws IOException, InterruptedException {
        HttpResponse<String> answer = send("/ws/v1/optimus/jobs/" + id);
        return answer.statusCode() == HttpURLConnection.HTTP_NOT_FOUND
                ? MissingNode.getInstance()
                : body(answer).path("speedFunction").path("measured");
    }

    /** Returns the number of rounds since the scheduler started. */
    long rounds() throws IOException, InterruptedException {
        return get("/ws/v1/optimus").required("rounds").asLong();
    }

    /** Returns the state of an application in YARN. */
    public JsonNode application(String id) throws IOException, InterruptedException {
        return get("/ws/v1/cluster/apps/" + id).path("app");
    }

    /** Returns the number of containers that all applications hold. */
    public int containers() throws IOException, InterruptedException {
        return get("/ws/v1/cluster/metrics")
                .path("clusterMetrics")
                .required("containersAllocated")
                .asInt();
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return body(send(path));
    }

    private HttpResponse<String> send(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(TIMEOUT)
                .header("Accept", "application/json")
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode body(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
            throw new IOException(answer.uri() + " answered " + answer.statusCode() + ": " + answer.body());
        }
        return json.readTree(answer.body());
    }
}
